"""Which sources the shipped weights learn from, and why the others are left out.

The rule: a source is used when its manifest entry names a permissive licence
(MIT, Apache-2.0, BSD, AFL, CC-BY, the WordNet licence) and no other terms of the
data itself.  A permissive repository around data with terms of its own does not
count.  Sources that are left out may still serve to *validate* (they then choose
a checkpoint; nothing of them enters the weights): see VALIDATION.
"""

# source: (licence as the manifest states it, sampling weight)
USED: dict[str, tuple[str, float]] = {
    "coco": ("COCO captions CC-BY-4.0", 3.0),
    "hl": ("HL dataset Apache-2.0 (scenes, actions, rationales on COCO)", 1.0),
    "abstract48s": ("BSD (coco-caption licence)", 0.5),
    "factual_vg": ("captions only: Visual Genome CC-BY-4.0; the scene graphs have no stated licence and are not read", 0.0),
    "vsr": ("Apache-2.0", 0.3),
    "alfred_step": ("MIT", 1.5),
    "alfred_task": ("MIT", 0.8),
    "alfred_plan": ("MIT", 0.5),
    "r2r": ("MIT", 0.4),
    "calvin": ("MIT", 0.1),
    "virtualhome_plan": ("MIT", 0.1),
    "virtualhome_props": ("MIT", 0.1),
    "virtualhome_place": ("MIT", 0.1),
    "activitynet": ("repository MIT, no other terms stated", 0.3),
    "activitynet_qa": ("Apache-2.0", 0.8),
    "sqa3d": ("CC-BY-4.0", 0.4),
    "wikianswers": ("ParaGEN repository MIT, no other terms stated", 0.5),
    "scitail": ("Apache-2.0", 0.2),
    "piqa": ("AFL-3.0", 0.3),
    "ppdb": ("counter-fitting Apache-2.0", 1.0),
    "vg_alias": ("MIT", 0.5),
    "lvis": ("LVIS CC-BY-4.0", 0.4),
    "mp3d_cat": ("MIT", 0.1),
    "wordnet_syn": ("Open English WordNet CC-BY-4.0 + WordNet licence", 2.0),
    "wordnet_gloss": ("Open English WordNet CC-BY-4.0 + WordNet licence", 2.0),
    "wordnet_hyper": ("Open English WordNet CC-BY-4.0 + WordNet licence", 0.5),
}

LEFT_OUT: dict[str, str] = {
    "epic": "CC-BY-NC-4.0: non-commercial",
    "epic_nouns": "CC-BY-NC-4.0: non-commercial",
    "asset": "CC-BY-NC-4.0: non-commercial",
    "scanrefer": "CC-BY-NC-SA-3.0: non-commercial",
    "scanrefer-nr3d": "CC-BY-NC-SA-3.0: non-commercial",
    "nr3d": "built on ScanNet/ScanRefer material under non-commercial terms",
    "scanqa": "ScanQA CC-BY-NC-SA-3.0 although the mirror is MIT",
    "charades": "Charades is non-commercial although the mirror is MIT",
    "sick": "CC-BY-NC-SA-3.0; its test part is also one of the reports",
    "stsb": "CC-BY-SA-4.0: share-alike, no permission; its dev and test parts are validation and report",
    "snli": "CC-BY-SA-4.0: share-alike, and built on Flickr30k captions",
    "squad": "CC-BY-SA-4.0: share-alike, no permission",
    "qnli": "derived from SQuAD, CC-BY-SA-4.0",
    "med": "CC-BY-SA-4.0: share-alike",
    "help": "CC-BY-SA-4.0: share-alike",
    "conceptnet": "CC-BY-SA-4.0: share-alike, no permission",
    "flickr30k": "Flickr30k terms: research use only",
    "flickr8k": "research use only (UIUC)",
    "msvd": "MSVD is for research although the mirror is MIT",
    "quora": "Quora terms",
    "mrpc": "Microsoft shared source: research",
    "wikiqa": "Microsoft research licence",
    "rte": "no licence stated",
    "trecqa": "no licence stated",
    "daquar": "no licence stated",
    "sunspot": "no licence stated",
    "snare": "no licence stated",
    "reverie": "no licence at the root of the repository",
}

# hardneg.tsv.gz: sources that may not be trained on (the rest is MIT or Apache-2.0).
HARDNEG_LEFT_OUT = {"sick": "CC-BY-NC-SA-3.0", "snli": "CC-BY-SA-4.0"}

# Read only to choose when to stop and between variants.  STS-B dev is used so too.
VALIDATION = ["squad", "quora", "scanqa", "flickr30k", "daquar"]

# Weights of left-out sources in trials that measure what leaving them out costs.
TRIAL_WEIGHTS = {"flickr30k": 3.0, "flickr8k": 1.0, "msvd": 1.5, "snli": 0.7, "squad": 1.0, "conceptnet": 1.0, "quora": 0.5}
