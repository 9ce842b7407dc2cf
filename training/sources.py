"""Which sources the shipped weights learn from, and why the others are left out.

The rule: sources that the manifest marks non-commercial or share-alike are left out, and
so are those that the corpus README lists as non-commercial or research-only.  Flickr8k,
Flickr30k (with Multi30k), MSVD, MRPC and WikiQA are used: their own terms speak of research
or of Microsoft's shared source licence, the manifest marks them neither non-commercial nor
share-alike, and openly licensed encoders are commonly trained on them.  This was the
project's decision; whoever needs weights without them sets their share to 0 and retrains.
Sources without any stated licence are not forbidden by the rule; they were tried and brought
nothing that could be measured, so they stay out.
Sources that are left out may still *validate* (they choose a checkpoint or a variant;
nothing of them enters the weights): see VALIDATION.
"""

# source: (licence as the manifest states it, share); a source is drawn in proportion to share × √pairs
USED: dict[str, tuple[str, float]] = {
    "flickr30k": ("Flickr30k/Multi30k terms: research (see above)", 1.0),
    "flickr8k": ("UIUC terms: research (see above)", 0.5),
    "msvd": ("repository MIT, MSVD terms: research (see above)", 1.0),
    "coco": ("COCO captions CC-BY-4.0", 1.0),
    "hl": ("HL dataset Apache-2.0 (scenes, actions, rationales on COCO)", 0.7),
    "abstract48s": ("BSD (coco-caption licence)", 0.4),
    "vsr": ("Apache-2.0", 1.0),
    "alfred_step": ("MIT", 0.5),
    "alfred_task": ("MIT", 0.7),
    "alfred_plan": ("MIT", 0.4),
    "r2r": ("MIT", 0.4),
    "calvin": ("MIT", 0.5),
    "virtualhome_plan": ("MIT", 0.5),
    "virtualhome_props": ("MIT", 0.5),
    "virtualhome_place": ("MIT", 0.5),
    "activitynet": ("repository MIT, no other terms stated", 1.0),
    "activitynet_qa": ("Apache-2.0", 1.0),
    "sqa3d": ("CC-BY-4.0", 1.0),
    "wikianswers": ("ParaGEN repository MIT, no other terms stated", 1.5),
    "mrpc": ("MSR shared source (see above)", 2.0),
    "wikiqa": ("MSR research (see above)", 1.0),
    "scitail": ("Apache-2.0", 1.5),
    "piqa": ("AFL-3.0", 1.0),
    "ppdb": ("counter-fitting Apache-2.0", 1.5),
    "vg_alias": ("MIT", 1.0),
    "lvis": ("LVIS CC-BY-4.0", 1.0),
    "mp3d_cat": ("MIT", 1.0),
    "wordnet_syn": ("Open English WordNet CC-BY-4.0 + WordNet licence", 1.0),
    "wordnet_gloss": ("Open English WordNet CC-BY-4.0 + WordNet licence", 1.0),
    "wordnet_hyper": ("Open English WordNet CC-BY-4.0 + WordNet licence", 0.5),
}

LEFT_OUT: dict[str, str] = {
    "epic": "CC-BY-NC-4.0: non-commercial",
    "epic_nouns": "CC-BY-NC-4.0: non-commercial",
    "asset": "CC-BY-NC-4.0: non-commercial",
    "scanrefer": "CC-BY-NC-SA-3.0: non-commercial",
    "scanrefer-nr3d": "CC-BY-NC-SA-3.0: non-commercial",
    "nr3d": "on the corpus README's list; built on ScanNet material under non-commercial terms",
    "scanqa": "ScanQA CC-BY-NC-SA-3.0 although the mirror is MIT",
    "charades": "Charades is non-commercial although the mirror is MIT",
    "sick": "CC-BY-NC-SA-3.0; its test part is also one of the reports",
    "stsb": "CC-BY-SA-4.0: share-alike; its dev and test parts are validation and report",
    "snli": "CC-BY-SA-4.0: share-alike",
    "squad": "CC-BY-SA-4.0: share-alike",
    "qnli": "derived from SQuAD, CC-BY-SA-4.0: share-alike",
    "med": "CC-BY-SA-4.0: share-alike",
    "help": "CC-BY-SA-4.0: share-alike",
    "conceptnet": "CC-BY-SA-4.0: share-alike",
    "quora": "on the corpus README's list (Quora terms)",
    "snare": "on the corpus README's list; no licence stated",
    "factual_vg": "the scene graphs have no stated licence; tried: mix ±0; only the Visual Genome captions (CC-BY-4.0) are read, as siblings of COCO captions",
    "rte": "no licence stated; tried: mix +.0005, STS-B dev +.002",
    "trecqa": "no licence stated; tried: mix +.0015, its own pool only, STS-B dev −.0002",
    "daquar": "no licence stated; tried: helps its own pool only, and it serves to validate",
    "sunspot": "no licence stated; tried: mix ±0",
    "reverie": "no licence at the root of the repository; tried: mix −.001",
}

# hardneg.tsv.gz: sources that may not be trained on (the rest is MIT or Apache-2.0).
HARDNEG_LEFT_OUT = {"sick": "CC-BY-NC-SA-3.0", "snli": "CC-BY-SA-4.0"}

# Read only to choose when to stop and between variants.  STS-B dev is used so too.
VALIDATION = ["squad", "quora", "scanqa", "daquar", "asset", "mrpc", "wikiqa", "trecqa", "rte"]
# Read only as paraphrases of the near-miss report.
REPORT = ["snli", "sick"]
