/**
 * Words and set phrases that mean the same to a question, by family: whoever asks where something "sits", "rests"
 * or "is kept" asks one thing. A slash joins the forms of one verb; forms not given are made by the common endings.
 * What is in no family is taken for a part of a name.
 */
const FAMILIES: Readonly<Record<string, string>> = {
  // Perceiving.
  see: "discovery, discovery of, detection, observed, see/sees/saw/seen/seeing, spot, notice, observe, come across/came across/coming across, catch sight of/caught sight of/catching sight of, lay eyes on/laid eyes on/laying eyes on, set eyes on/setting eyes on, clap eyes on/clapped eyes on, encounter, run into/ran into/running into, bump into, stumble upon, stumble across, stumble on, perceive, glimpse, detect, witness, have in view/had in view, get a look at/got a look at/getting a look at, sighting, sightings, sight, view, glimpses, look at, recognise, recognize, sighted, meet/met/meeting, come upon/came upon, in sight, in view, into view, encounters, observation, notice of, cross your path, crossed your path, eyes fall on, eyes fell on, eyes last fall on, aware of, became aware of, become aware of, meets my eye, meet my eye, catch your eye, caught your eye, lay eyes, set eyes, eyes",
  find: "find/finds/found/finding, locate/locating, track down, get hold of, discover, turn to find",
  look: "look/looks/looked/looking, peek, glance, peer, gaze, stare, check, inspect, have a look/had a look, take a look, scan",
  // Being somewhere.
  lie: "lie/lies/lay/lain/lying, rest, sit/sits/sat/sitting, stand/stands/stood/standing, hang/hangs/hung/hanging, lean, perch, reside, dwell, live/lives/lived/living, situated, located, positioned, parked, mounted, stuck, resting, be found, remain, laid, set up, hangout, tucked, nestle, reposing, repose, ends up, ended up, end up, got to, gotten to, got to be, wind up, wound up, hiding, hidden, hide, occupy, occupies, occupying, adorn, adorns, scattered, live, lodge, lounging, pile up, wedged",
  put: "placement, placement of, placing of, put/puts/putting, placed/placing, set down, setting down, set/sets/setting, leave/leaves/left behind, drop, deposit, stash, stow, lay down/laid down, put down, putting down, left/leaving, dump, plonk, bung, plop, deliver, dropped off, place down",
  keep: "keep/keeps/kept/keeping, store/stored/stores/storing, storage, put away, stowed, storing, tidied away, stowed away, tuck away, tucked away, stockpile, storage-wise, organise, organize, organised, organized, organisation, organization, arranged, arrangement, arrange",
  belongings: "belongings, possessions",
  hold: "hold/holds/held/holding, contain, include, featuring, featured, accommodate, occupied by, taken up by, covered by, covered with, topped by, topped with, laden with, support, bears the, bore, boast, equipped with, fitted with, furnished with, contents, got inside, home to, equipped, filled with, sport, sports, bears, carry on top, offer, offers, comes with, supplied, stocked, stocked with, richer in, come with",
  have: "have/has/had/having, own/owns/owned, possess, have got/has got/had got, got",
  share: "share/shares/shared/sharing",
  same: "same, identical, identically, match/matches/matching/matched, alike, equal, very same, equals, one and the same, exactly the same, the same, tally with, in common, exact",
  exist:
    "exist/exists/existed/existing, presence, existence, presence of, existence of, occurrence, occurrence of, occur",
  shown:
    "shown, displayed, pictured, depicted, in the picture, in this picture, in the image, in this image, in the photo, in this photo, shown here, pictured here, i am showing, i show you, i am holding, i hold, in my hand, pointing at, held up, presented",
  different:
    "different, differ, else, other, another, second one, further, elsewhere, additional, difference",
  // Asking for properties.
  colour:
    "colour/colours/coloured/colouring, hue/hues/hued, shade/shades, tint/tints, tone/tones, colour-wise, coloration, colouration, color-wise, paint job, painted, wears",
  material:
    "material/materials, substance/substances, made of, made from, made out of, consist of/consists of, composed of, built from, built of, crafted from, made up of, fashioned from, manufactured from, manufactured, constructed from, constructed of, constructed, built, fabricated, composition, fabric, stuff is, constructed out of, built out of, crafted, produced from, fabricated from, kind of stuff, sort of stuff, make-up, materially, material-wise, went into making, goes into making, go into making, gone into making",
  text: "written, write/writes/wrote/writing, print/printed/prints, inscription, inscribed, inscriptions, text, texts, label/labelled/labeled/labels, lettering, engraved, read/reads, reading, word/words, wording, caption, captioned, spelled out, spelt out, spell out, bear the words, legend, stamped, emblazoned, marked, titled, imprinted, it says, spelled, quote, recite",
  say: "say/says/said/saying",
  height:
    "tall, high, height/heights, bottom to top, bottom to the top, top to bottom, top to the bottom, base to top, floor to top, how high up, heightwise, height-wise, upwards, vertical, vertically, stature, tallness, from the ground, head to toe, lofty, extent, rise, rises, floor up, how far up",
  size: "size, sizes, floor of, size of, area covered by, area of the floor of, size-wise, dimensions, volume, floor space, floor area, in area, area-wise, total area, in size, square metres, footprint, spaciousness, bulk, surface area, square footage, dimension, expanse, sizeable",
  measure:
    "measure/measures/measured/measuring, measurement, measurements, centimetres, inches, feet, centimetre, tape measure, cm",
  distance:
    "distance/distances, far, how far, apart, separation, separate/separates/separated/separating, metre/metres, away from, far apart, distant, proximity, lengths, gap, interval, clearance, steps away, stretch, mileage, close",
  // Counting and time.
  number:
    "how many, number, numbers, count/counts/counted/counting, total, totals, quantity, tally, amount, sum, headcount, how much, count up, figure, add up, in total, in all, altogether, total up, what number, overall, grand total, crowded, tally up",
  times:
    "times, often, how often, frequently, how frequently, occasions, occasion, visits, frequency, number of times, repeatedly, entries, stops, trips, regularly",
  long: "how long, how much time, long, duration, minutes, seconds, hours, length of time, stretch of time, amount of time, period, period of time, span of time, how many minutes, how many seconds, what amount of time, time span, while, length, timespan, elapsed, elapse, went by, go by, gone by, passed by, time passed, time elapsed, passed between, passed from",
  pass: "pass/passes/passed/passing",
  spend:
    "spend/spends/spent/spending, stay/stays/stayed/staying, linger, hang around/hung around, hang about, dwell on, pass the time, remain in, stick around, hang out/hung out/lasting, lasted",
  when: "when, at what time, what time, what moment, at what moment, at which time, at which moment, at what point, at what hour, what hour, on what occasion, how recently, what time of day, the exact time, the moment, the point in time, timestamp, clock time, at which point, how far back, how long since, how long has it been since, how long is it since, how much time has passed since, since when",
  ago: "how long ago, how many minutes ago",
  time: "time, moment, instant, hour, point in time, point",
  first:
    "first, for the first time, first time, the very first time, very first, initially, initial, earliest, originally seen, first ever, first-ever, firstly, to begin with, at first",
  last: "last, most recently, most recent, latest, for the last time, last time, lately, recently, previous time, final, finally, last ever",
  before:
    "before, earlier, earlier than, prior to, sooner, sooner than, ahead of, preceding, precede/precedes/preceded, previously, prior, until, previous, beforehand, former, originally, used to be, use to be, used to stand, use to stand, used to live, use to live, use to sit, used to sit, did it use to, first of all, predate, predates, already, up to the point, original, formerly, old place",
  after:
    "after, later, later than, following, afterwards, subsequently, subsequent, then, thereafter, once, next, straight after, immediately after, directly after, right after, follow/follows/followed, upon, after that, succeeded, succeed, from there, subsequent to, having, subsequent",
  between:
    "between, in between, in the middle of, flanked by, in the middle, sandwiched between, amid, wedged between, middle, sandwiched, flanked, flank, midway, halfway",
  now: "now, right now, currently, at the moment, at present, presently, just now, present, current, these days, as of now, as things stand, nowadays, as we speak, this moment, this instant, this very moment, at this moment, at this point, today, as it stands",
  still:
    "still, remain there, stay put/stays put/staying put, unchanged, same spot, same place, same position, same location, exactly where it is, where it is now, where it is, unmoved, stays where it is, stay where it is, in place, put, rely on, count on, safe to assume, look ahead",
  will: "will, going to, would, shall, gonna, likely, expect, predict, probable, probably, bet, reckon, chance/chances, odds, likelihood, expected, probability, foresee, forecast, anticipate, supposed to, due to, liable to",
  // Doing.
  go: "go/goes/went/gone/going, head/heads/headed, proceed, move on/moved on, travel/travelled/travelling/traveled/traveling/travels, drive/drives/drove/driven/driving, journey, make your way/made your way/making your way, trip, go over, roll/rolled/rolling, get to/got to/getting to, navigate, wander, make for, set off, swing by, run over, make a beeline, roam, cover/covered/covering, route, path, step out, roll over, odometer, trek, drove, destination, stop by",
  enter:
    "enter/enters/entered/entering, visit/visited/visiting, set foot/setting foot, step into/stepped into/stepping into, step inside, go into/went into/going into/gone into, come into/came into/coming into, go in/went in/going in, been to, been in, been inside, step/steps/stepped/stepping, been into, walk into/walked into/walking into, walk in/walked in/walking in, pop into/popped into, drop in, entry, entrance of yours, stop by, tour, venture, ventured, drop by, pay a visit, paid a visit, visit paid, cross into, crossing into, arrive in, arrived in, arriving in, make it into, look in on, call in, come in, came in, coming in, come through, stepped through, enters from",
  exit: "exit/exits/exited/exiting, come out of/came out of/coming out of, depart, go out of/went out of, out of, came from, step out of",
  lead: "take me, lead/leads/led/leading, guide, bring me, escort, show me the way, walk me, accompany, direct me, get me, bring us, take us, usher, the way to, drive me, follow me",
  moved:
    "displacement, displacement of, relocation of, repositioning, moving of, move/moves/moved/moving, shift, displace, relocate, rearrange, transfer, budge, reposition, dislodge, been moved, changed places, changed place, changed position, changed location, swapped places, moved around, moved about, displaced, somewhere else, different place, different spot, different position, different location, another place, new place, new spot, touch, relocation, shift around, mess with, moves house, change its place, changed its place, change place, change position, switched places, new position, new home, another spot, other place, other spot, astray, wandered",
  walk: "walk/walks/walked/walking, on the move, in motion, stroll, run/runs/running, walking about, walking around, up and about, on foot, motion, movement, on the go, pace around, wander, wandering, stationary, standing still, stand still, motionless, mobile, steps, on their feet, strolling, pacing",
  carry:
    "carry/carries/carried/carrying, lug/lugged/lugging, transport, haul, bring/brings/brought/bringing, in hand, in their hands, hands, tote, convey, clutch, ferry, in his hands, in her hands, bear around, cart off, hold of, grasp, grip, heave, schlep, lugging, carry off, carry around, hauling, took hold of, walked off with, pick up/picked up/picking up, laid hands on, hands on",
  take: "take/takes/took/taken/taking",
  gone: "disappear, vanish, missing, remove, removal, gone, taken away, took away, take away, taken out, carried off, cleared away, no longer, not there any more, not there anymore, any more, anymore, lost, lose, went missing, gone missing, absent, been cleared, cleared out, stolen, disappearance, departed, no longer here, no longer there, no longer around, got rid of, gotten rid of, cleared, withdrawn, got lost, miss, made off with, astray",
  new: "new, newly, add/added/adding/additions/addition, appear/appeared/appears/appearing, turn up/turned up, show up/shown up/showed up, brought in, arrive, arrival, arrivals, come in, emerge, newcomer, newcomers, pop up/popped up, cropped up, was not there before, not there before, not been there before, put in, introduced, introduce, fresh, materialise, sprung up, joined, join",
  change: "change, changes, altered, alter, alteration, alterations",
  halt: "stop/stops/stopped/stopping, halt, pause, standstill, at a standstill, come to a stop, came to a stop",
  turn: "turn/turns/turned/turning, rotate, spin/spun/spinning, swing/swung, swing round, revolve, pivot, rotation, clockwise, anticlockwise, anti-clockwise, counterclockwise, counter-clockwise, swivel, twist, veer, whirl, turning round, turning around, wheel around, spinning, sense, wheeling",
  fast: "fast, quickly, quick, speed, speeds, pace, velocity, metres per second, how fast, rapidly, rate, swiftly, kilometres per hour, speedily, tempo, metres a second, fast a pace, how briskly, briskly, meters per second",
  direction:
    "direction, directions, way, heading, course, headed, bound, bearing, whither, which way, what way, which direction, what direction, trajectory",
  towards:
    "towards, toward, in the direction of, approach/approached/approaching/approaches, closing in on, on the way to, on the way towards, bound for, heading for, making for, headed for, getting closer to, in the general direction of, on course for, coming up to, up to, make straight for, making straight for, on his way to, on her way to, on their way to, en route to, drawing near, aiming for, coming closer to, moving closer to, homing in on",
  // Comparing.
  than: "than, compared with, compared to, in comparison with, in comparison to, relative to, versus, against, as opposed to, when compared with, when compared to, as compared to, next to which, set against, rather than, instead of, comparison",
  compare:
    "compare, comparing, exceed/exceeds/exceeded, beat/beats, outdo/outdoes, surpass, dwarf/dwarfs, outsize, top/tops, outstrip, outweigh, win/wins/won, come out on top, comes out on top, outnumber/outnumbers, outnumbered, trump, takes the prize, overtop, overtops, tower over, towers over, tower above, towers above, outgrow, edge out, eclipse, ranked, rank, takes the lead, take the lead, exceeding",
  bigger:
    "bigger, larger, bulkier, more spacious, roomier, greater in size, take up more space/takes up more space/takes up more room/take up more room, more space, more floor space, more area, greater, more room, the larger, the bigger, more voluminous, more massive, of greater size, ahead of in size, occupy more space, occupies more space, occupy more room, occupies more room, larger in size, bigger in size, more square metres, larger area, bigger area, outsize, outsizes, dwarfs, dwarf, better off for space, more generous, more sizeable",
  smaller: "smaller, tinier, littler, less space, less room, more compact",
  taller:
    "taller, higher, more in height, greater height, greater in height, reach higher, reaches higher, stands taller, stand taller, reaches up higher, reach up higher, taller of, further up, loftier",
  shorter: "shorter, lower, less tall, less high",
  closer:
    "closer, nearer, less far, shorter distance, less distance, closer by, smaller distance, shorter way, more closely, nearer by, a shorter distance",
  farther: "farther, further, further away, farther away",
  biggest:
    "biggest, largest, greatest, roomiest, most spacious, bulkiest, hugest, most space, most floor space, most room, of the greatest size, largest area, biggest area, most massive, the most space, most voluminous, most area, largest in size, biggest in size, largest floor area, most sizeable, outsizes the rest, dwarfs the others",
  nearest:
    "nearest, quickest, soonest, handiest, most easily reached, least far away, closest, shortest distance, least far, fewest steps, nearest by, closest by, smallest distance, least distance, least distant, shortest walk, nearest one, shortest way, reach first, shortest path, minimum distance, quickest to reach",
  more: "more, a greater number of, greater number, larger number, higher number, higher count, more numerous, a larger number of, higher number of, bigger number",
  most: "most, highest, at its highest, the highest, peaks, at its maximum, greatest number, largest number, highest number, highest count, more than any other, biggest number, largest amount, highest concentration, richest, maximum, biggest collection, the greatest number of, largest quantity, highest quantity, largest count",
  fewer: "fewer, less, fewest",
  // Needs.
  use: "use/uses/used/using, help/helps/helped/helping, let/lets, allow, enable, serve, do the job, useful, suitable for, good for, do for, come in handy, handy, aid, assist, implement, employ, utilise, utilize, meant for, do the trick, purpose, needed, required, required to, suited, serve to",
  want: "want/wants/wanted, need/needs, wish, would like, like to, would love, fancy, feel like, desire, hope to, looking to, keen to, hoping to, in order to, so that, trying to, try to, have to, has to, planning to, plan to, aim to, mean to, intend, in the mood, able to, possible to, possible, longing, after a, wanting, craving, time to, crave, about to",
  mood: "quiet/quieter/quietest, calm/calmer/calmest, bright/brighter/brightest, cosy/cosier/cosiest, cozy, spacious, lively/livelier/liveliest, dark/darker/darkest, peaceful, tranquil, sunny/sunnier/sunniest, airy, private, secluded, snug, cool/cooler/coolest, noisy, crowded, relaxing, restful, relaxed, serene, intimate, welcoming, homely, inviting, gloomy, dim, dimly lit, well-lit, well lit, brightly lit, roomy, light-filled, light/lighter, busy, colourful, social, sociable, warm/warmer/warmest, silent, loud, buzzing, bustling, hectic, romantic, cheerful, friendly, hushed, undisturbed, luminous, shadowy, shady, mellow, gentle, atmosphere, ambience, ambiance, vibe, mood, feels",
  feeling:
    "cold, hot, thirsty, hungry, tired, sleepy, bored, sweaty, sick, peckish, exhausted, freezing, chilly, starving, parched, famished, weary, knackered, shivering, dizzy, stressed, restless, hurts, ache, aching, too dark, too warm, too bright, drowsy, sore, sticky, dusty, shattered, worn out",
  doing:
    "read a book, reading a book, read books, read the newspaper, read in peace, read in bed, read something, watch television, watch tv, watch a film, watch a movie, watch the news, see the news, see what time it is, listen to music, hear music, play games, play cards, look at myself, see myself, look in the mirror, check my hair, sleep/sleeping, dry/drying, cut/cutting, boil/boiling, exercise/exercising, wash/washing, wash up, charge/charging, cook/cooking, iron/ironing, eat/eating, relax/relaxing, nap/napping, shower/showering, bathe/bathing, play/playing, sew/sewing, dine/dining, brush/brushing, clean/cleaning, hang up/hanging up, heat up, warm up, cool down, bake/baking, fry/frying, toast/toasting, chop/chopping, slice/slicing, mix/mixing, brew/brewing, pour/pouring, drink/drinking, watch/watching, listen/listening, studying, practise/practising, training, work out/working out, knit/knitting, meditate/meditating, chat/chatting, talk/talking, dance/dancing, sing/singing, typing, print out, shave/shaving, get dressed, change clothes, do yoga, do sports, do sport, do homework, take a nap, have a nap, take a bath, have a bath, take a shower, have a shower, have dinner, have lunch, have breakfast, have a meal, make coffee, make tea, make a coffee, make a cup of tea, put on my shoes, tie my shoes, hang my coat, store food, keep warm, unwind, chill out, snooze, doze, lounge around, host, entertain, celebrate, cook dinner, cooking dinner, do the laundry, do my laundry, do some laundry, do laundry, do the washing, do my washing, do some washing, do washing, do the washing up, do my washing up, do some washing up, do washing up, do the washing-up, do my washing-up, do some washing-up, do washing-up, do the dishes, do my dishes, do some dishes, do dishes, do the ironing, do my ironing, do some ironing, do ironing, do the cooking, do my cooking, do some cooking, do cooking, do the cleaning, do my cleaning, do some cleaning, do cleaning, do the homework, do my homework, do some homework, do homework, do the hoovering, do my hoovering, do some hoovering, do hoovering, do the shopping list, do my shopping list, do some shopping list, do shopping list, write/writing, sing/singing, dance/dancing, knit/knitting, shave/shaving, undress, mend/mending, pray/praying, meditate/meditating, rehearse, unwind/unwinding, snooze/snoozing, doze/dozing, sunbathe, freshen up, warm myself, warm my hands, throw away/throwing away, throw out, get rid of, dispose of, recycle/recycling, get dressed, get changed, change clothes, change my clothes, change the baby, feed the baby, get some fresh air, get fresh air, get some rest, get some sleep, lie down/lying down, sit by the window, sit at a table, sit and, stretch out, make a phone call, make a call, phone somebody, make tea, make coffee, make dinner, make lunch, make breakfast, make a sandwich, keep warm, keep cool, keep dry, keep food cold, keep my milk cold, keep things cold, check the time, tell the time, tie my shoes, put on my shoes, take off my shoes, take a nap, take a shower, take a bath, take a rest, take notes, bake a cake, water the plants, have a drink, have a cup of tea, have a cup of coffee, have a coffee, have a meal, have a snack, have a shower, have a bath, have a nap, have a rest, have a chat, have a wash, have a shave, have a bite, have a lie-down, have a conversation, have breakfast, have lunch, have dinner, have supper, have tea, have something to eat, have something to drink, have some tea, have some coffee, have some food, work at a desk, work at my desk, work at the desk, work on the computer, work at the computer, put my feet up, put your feet up, put up my feet, put our feet up, put one's feet up",
  suit: "suitable, good, best, ideal, nice, right place, perfect, recommend, suggest, advise, advice, suggestion, recommendation, comfortable, comfortably, proper, appropriate, suggestions, recommendations, recommended, ideas, propose, tips, favourite, decent, suits, suit, fit for, great, pleasant, lend itself, lends itself, prefer",
  place:
    "place, places, area, areas, region, zone, part of the house, spot, spots, location, locations, position, positions, whereabouts, site, corner, somewhere, anywhere, someplace, part of the house, locale, nook, hangout, some place, wherever, places are, hideaway",
  where:
    "where, whereabouts is, whereabouts are, where abouts, wherein, where to, where from, what has become of, what became of",
  room: "room, rooms, chamber, chambers, bit of the house",
  floor: "storey, storeys",
  kind: "kind, kinds, type, types, sort, sorts, classify, category, function of, name of, called, call",
  space:
    "space, free space, enough space, enough room, spare room, spare space, free spot, clear space, surface space, room left, space left, still room, any room, room for, room enough, spare, some room, sufficient space, sufficient room, vacant space, available",
  fit: "fit/fits/fitted/fitting, squeeze/squeezed/squeezing, squeezed onto, get onto, big enough, go on, enough for, large enough, hold as well, roomy enough, capacity",
  seat: "seat/seats/seated/seating, sit down, sitting down, places to sit, take a seat, somewhere to sit, seating places, unoccupied seats, free seats, take seats, place to sit, seating capacity, chairs free, sitting places, sit themselves down",
  sleep:
    "sleep/sleeps/slept/sleeping, spend the night, stay the night, overnight, bed down, put up, stay over, sleep over, sleeping space, sleeping places, beds for, sleepers, accommodate overnight, kip, doss, spending the night, nights, night, lie down for the night, overnight guests, turn in, sleeping spots, sleeping capacity, bedded, go to bed, tonight",
  people:
    "people, persons, folks, guests, visitors, of us, adults, humans, residents, sleepers, friends coming, individuals, others, heads, bodies, inhabitants, friends, folk, everybody, everyone, bottoms",
  somebody:
    "which person, what person, attributable to, somebody, someone, anybody, anyone, person, a person, who, company, by myself, alone, lonely, by whom, whom, whose, on my own, humans, some people, companionship, human, who exactly, nobody, by yourself, socialise, socialize, culprit, responsible, which person, soul, occupant, human being, living soul",
  // Describing.
  describe:
    "nature, character, nature of, main features, principal features, key features, characteristics, characteristic, furnishings, portray/portrays/portrayed/portraying, convey a sense of, general nature, overall nature, overall impression, depiction, describe/describes/described/describing, description, overview, summarise, summarize, summary, sum up, in general, paint me a picture, tell me about, characterise, characterize, outline, general impression, impression, look like/looks like, be like, rundown, in words, in a few words, give me an idea of, in a nutshell, brief me, surroundings, report on, layout, tour of, lowdown, walk me through, talk me through, what is like, run-down, run me through, fill me in, in broad strokes, briefly, broadly, in short, depict, set up, furnished, decorated, appearance, features, feel of, gist, big picture, atmosphere of, looks, sketch, put into words, into words, lowdown, characterise, imagine",
  like: "like, example, specimen, instance, sample, alike, of this kind, just like, similar, similar to, of the same kind, resembling, resemble, resembles, lookalike, copy, duplicate, twin, same kind, same sort, identical one, of its kind, such, same type, matching one, counterpart, replica",
  house:
    "house, home, apartment, flat, building, scene, environment, household, premises, here, around here, whole place, whole house, entire house, place as a whole, property, residence, dwelling, under this roof, throughout, all rooms, indoors, this place, in here, everywhere, across the house, in the place",
  belong:
    "meant to live, meant to be kept, meant to go, meant to be, supposed to live, ordinarily, ordinarily kept, proper location, rightful location, correct location, usual location, normal location, habitually, customarily, customary, belong, belongs, proper place, rightful place, usual place, put back, goes back, back where, right place, its home, rightful spot, usual spot, proper spot, where it was, go back, correct place, supposed to go, supposed to be, return/returned, usually, normally, normal place, correct spot, usual home, proper home, tidy up, put it away, put this away",
  list: "list/lists/listed, set of, collection of, array of, assortment of, range of, selection of, complete set of, whole set of, full set of, entire set of, variety of, catalogue, catalog, enumerate, everything, every single thing, all the things, all the stuff, all the items, all the objects, all of the things, every thing, every item, every object, full list, the lot, all the, run through, complete list, each item, each thing, each object, inventory, what all, name all, itemise, itemize, each and every, list of, entire contents, all items, all objects, all things",
  beside:
    "beside, next to, alongside, adjacent to, by the side of, right by, just by, adjacent, neighbour, neighbours, neighboring, neighbouring, neighbor, right beside, adjoining, close by, hard by, flush with, abutting, borders, adjoins, right next to, side by side, shoulder to shoulder, immediately beside, next door to, bordering, nearby, right up against, abuts, directly beside, sharing a side with, by, near, immediate, cheek by jowl",
  round:
    "around, round, surround/surrounds/surrounded/surrounding, pulled up to, set at, gathered around, grouped around, drawn up, encircle, encircling, encircles, arranged around, grouped, gathered, arranged round, set around, tucked under",
  ontop:
    "on, supported by, held up by, on top of, atop, on to, onto, upon, on top, on its surface, on the top of, off of, across the top of, surface of, top of, over, topping, tabletop, sitting atop",
  inside:
    "in, inside, into, within, in the inside of, inside of, interior, in there, interior of, in the inside",
  behind:
    "behind, at the back, at my back, to the rear, in back of, in the rear, at the rear, round behind, rear, back",
  side: "side, sides, hand side, flank side, left-hand, right-hand",
  facing:
    "face/faces/faced/facing, looking towards, looking at, looking toward, look towards, look at, turned towards, turned to, with my eyes on, with your eyes on, eyes on, turns to, turning to, oriented towards, pointed at, directed at, fixed on, looks towards, looking in the direction of, looking straight at, gazing at, eyes fixed on, turns towards, gaze on, my gaze",
  standing:
    "standpoint, vantage point, viewpoint, standing at, stand at, stood at, standing by, stand by, stands at, stood by, positioned at, standing next to, from where i stand, from where you stand, my position is, standing beside, stationed at, stand next to, standing near, stands by, stand beside, standing in front of, my back to, stand in front of, placed at, i am at, planted at, stood next to",
  if: "if, suppose, imagine, say i am, picture yourself, picture me, picture this, picture someone, assuming, supposing, assume, say that, in case, given that, were i, were i to, provided",
  from: "from, starting at, starting from, via, by way of, coming from, through, out from, straight from",
  furniture: "furniture, furnishing, furnishings, piece of furniture, furniture-wise",
  surface: "surface, piece of furniture, surfaces, worktop surface",
  thing:
    "thing, things, object, objects, item, items, stuff, something, anything, article, articles, piece, pieces, whatever, nothing, contents",
  who: "who, whom",
  these:
    "these, options, option, the following, those, among these, options, listed, the options, candidates, choices, the choices, this list, on offer, alternatives, the list, of the four, out of the four, listed things, the listed",
  pick: "pick, choose, select, single out, which among, point out, pick out, name the one, which one",
  fact: "true, correct, right that, the case that, accurate, is it so, fact, wrong, confirm, verify, am i right, is that so, is it right, yes or no, in fact, indeed, truth, fair to say",
  any: "any, at least one, a single, one of, even one, so much as one, some, at least one of",
  tag: "is it not, is not it, does not it, has not it, did not you, are not they, are not there, is not there, was not it, will not it, have not you, did not they, do not we, does it not, right",
};

/** Words with a grammatical job, by what they do. */
const GRAMMAR: Readonly<Record<string, string>> = {
  is: "is, are, am, be, being",
  was: "was, were, been",
  do: "do, does, doing",
  did: "did, done",
  can: "can, could, may, might, should, must, able",
  not: "not, never, nor, cannot",
  what: "what, whatever",
  which: "which, whichever",
  how: "how, in what manner, in what fashion, manner, in what way",
  why: "why",
  i: "i, me, we, us, myself, ourselves, my, our, mine, one's",
  you: "you, your, yourself, yours",
  it: "it, its, itself, they, them, their, themselves, theirs, he, she, him, her, his, hers",
  this: "this, that one, this one, this here, this thing",
  that: "that",
  there: "there, in there, on there, over there",
  one: "one, ones, one of them",
  and: "and, plus, along with, as well as, also, together with, alongside with, both, together, with, too, as well",
  or: "or, either",
  of: "of, for, among, about, regarding, concerning, as for, when it comes to, in terms of, as regards, with regard to, with respect to, talking about, speaking of, thinking of, on the subject of, re",
  to: "to",
  as: "as",
  at: "at, around about",
  all: "all, every, each, entire, whole, various",
  the: "the, a, an",
  whether: "whether",
  tell: "tell, tells, indicate, indicates, specify, determine, establish, ascertain, identify, inform, confirm, disclose, divulge, relate, recount, telling, told, give, gives, giving, name, show, shows, state, report, inform, explain, mention, provide, specify, estimate, displays, display, reveal, clarify, quote, pray, let",
  know: "know, knows, known, knew, idea, clue, mind, remember, recall, think, thinks, believe, guess, suppose, suspect, wonder, sure, certain, curious, mean, seem, seems, feel, feels, forgot, care, casting, cast, become, became",
  get: "get, gets, getting, come, comes, coming, came, make, makes, making, pull, wait, start, reach, reaches, fall, falls, catch",
  up: "up, out, away, along, across, off, down, past, ahead, forth",
  ever: "ever, yet, only, very, just, rather, so, but, well, quite, even, else, earth, enough, better, short",
  under: "under, underneath, beneath, below",
  above: "above",
  during: "during, since, while, whenever",
  status: "status, situation, problem, tip, terms",
  ought: "ought",
};

/** Asides that change nothing: spoken fillers, courtesies, hedges. Left out before anything is read. */
export const ASIDES: readonly RegExp[] = [
  /\b(?:please|kindly|dear|darling|mate|buddy|pal|love|hey|hi|hello|ok|okay|er|erm|uh|um|hmm|oh|ah|well|so|anyway|actually|basically|honestly|listen|robot|loci|by the way|you know|i mean|sort of|kind of like|as it were|so to speak|if you (?:can|could|would|please|know|remember|like|do not mind)|if i may(?: ask)?|if possible|thanks?(?: you)?|cheers|quickly now|quick question|question|just out of curiosity|out of curiosity|for me|oh dear|tell me,|would you|could you|will you|no rush)(?=[,.;:!?]|$)[,.;:!]*/g,
  /^(?:please|kindly|dear|hey|hi|hello|ok|okay|er|erm|uh|um|hmm|oh|ah|well|so|anyway|actually|basically|honestly|listen|robot|loci|and|also|now then|right then|right|alright|sorry|sorry but|excuse me|pardon|say)[\s,]+(?!i am|that|it)/g,
  /\b(?:please|kindly|exactly|precisely|just|really|simply|roughly|approximately|about how|ever so|perhaps|maybe|possibly|again|happen to|happens to|happened to|actually|of course|apparently|supposedly|presumably|specifically|literally|quite|rather a)\b(?! the same| like| next| by| the one| now)/g,
];

/** Ways of asking to be told. */
export const FRAMES: readonly RegExp[] = [
  /(?:^|(?<=[.,;:] ))(?:for|from|in|according to|based on|going by|judging by|judging from|as per|with|to judge by) (?:the |this |your |my |our |these |those |all )*(?:record|records|recordings?|notes|logs?|diary|memory|memories|observations?|opinion|view|estimation|estimate|judge?ment|knowledge|purposes? of (?:this|the|my|our) [a-z]+|sake of (?:completeness|clarity)|order of observation|course of your (?:exploration|tour|visit|walk)|information|mind|experience|reckoning|best guess)(?: of (?:the|this) (?:house|place|home|scene))?[,:]/g,
  /\b(?:during|in the course of|on|throughout|over) (?:your|this|the) (?:exploration|tour|inspection|survey|rounds|walk-?through|patrol|wanderings?|travels)\b/g,
  /\b(?:i|we) would (?:be (?:most |very |really |so )?(?:grateful|glad|happy|thankful|obliged|interested)|appreciate it|like it) if you (?:could|would|can|might)\b/g,
  /\b(?:would|could) you be so (?:kind|good) as to\b|\b(?:may|might|can|could) i (?:ask|trouble|request|beg|get) you (?:to|for)\b|\b(?:i|we) (?:request|ask|demand|beg|want|need|would like) you to\b|\b(?:i|we) (?:request|ask|wish|would like|want) to be (?:told|informed)(?: of| about)?\b/g,
  /\b(?:might|would|could|can) you be able to (?=(?:tell|specify|say|name|indicate|find|show|give|state)\b)/g,
  /\b(?:it would be|it is|it might be) (?:helpful|useful|good|nice|great|interesting|important|of interest|handy|lovely)(?: for me| to me| for us)? to (?:know|learn|hear|find out|be told|see)\b/g,
  /\b(?:(?:can|could|would|will|might) you (?:be able to |perhaps |please )?|(?:do|would) you mind |are you able to |be so kind as to |i would like you to |i want you to |i need you to )?(?:tell|remind|inform|telling|let) (?:me|us)(?: know| again)?(?=,? (?:where|what|when|which|who|how|whether|if|why|in|on|at|by|the|for|to)\b)/g,
  /\b(?:do|would|might|did|have|can|could) you (?:happen to |still |by any chance )?(?:know|remember|recall|say|have any idea|got any idea|any idea|work out|figure out|check|find out|see|notice|noticed|seen|confirm|look up|establish|determine|make out|think of)(?=,? (?:where|what|when|which|who|how|whether|if|in what|in which|at what|by whom|to what|from what)\b)/g,
  /\b(?:i|we) (?:would|do|am|was|just|really|have|still|'d)? ?(?:like|want|need|love|wish|wonder|wondering|wondered|forget|forgot|forgotten|curious|interested|keen|not know|not remember|not recall|not sure|unsure|unable|trying|keep wondering|can not remember|can not recall|cannot remember)(?: to)?(?: (?:know|find out|understand|learn|hear|be told|see|work out|check|ask|figure out|remember|get|establish|verify|ascertain|hear about))?(?: about| as to| of)?(?=,? (?:where|what|when|which|who|how|whether|if|in|at|on|by whom|to what|for)\b)/g,
  /\b(?:any idea|any clue|no idea|any chance you know|got any idea|have you any idea|have you got any idea|got a clue|any thoughts on|any word on|any notion|remind me|remember|tell me|let me know|say|state|report|work out|check|please check|find out|look up|explain|clarify|the question is|my question is|question is|what i want to know is|what i would like to know is|what i need to know is|what i am asking is)(?:[,:]|(?= (?:where|what|when|which|who|how|whether|if|in what|in which|at what|on what|by whom)\b))/g,
  /\b(?:is it|is that|would it be|am i|was it) (?:really |indeed )?(?:true|right|correct|the case|so|fair to say|possible|accurate|a fact)(?: in (?:thinking|saying|assuming|believing))?(?: that)?\b/g,
  /\b(?:would|do|could|can) (?:you|we) (?:say|think|reckon|believe|guess|agree)(?: that)?\b/g,
  /\b(?:to (?:the best of )?your knowledge|as far as you (?:know|can tell|remember|recall|are aware)|in your (?:opinion|memory|view|records?)|according to your (?:memory|records?|notes)|from memory|from what you (?:have seen|saw|remember|recall|know)|think back|thinking back|cast your mind back(?: to)?|looking back|if you think back(?: to)?|to your mind|if you recall|if you remember|as you recall|going by your memory|based on what you(?: have)? (?:saw|seen))[,:.]?/g,
];

const IRREGULAR_Y = /[^aeiou]y$/;

/** The forms of a regular verb or noun. */
function formsOf(base: string): string[] {
  if (base.includes(" ") || base.includes("-") || base.length < 3) return [base];
  const stem = base.endsWith("e") ? base.slice(0, -1) : base;
  const y = IRREGULAR_Y.test(base) ? base.slice(0, -1) : undefined;
  const doubled = /[^aeiou][aeiou][bdgklmnpt]$/.test(base) ? base + base.at(-1) : undefined;
  return [
    base,
    y === undefined ? `${base}s` : `${y}ies`,
    `${base}es`,
    y === undefined ? `${stem}ed` : `${y}ied`,
    `${stem}ing`,
    ...(doubled === undefined ? [] : [`${doubled}ed`, `${doubled}ing`]),
  ];
}

function table(): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const source of [GRAMMAR, FAMILIES]) {
    for (const [family, text] of Object.entries(source)) {
      for (const entry of text.split(/,\s*/)) {
        const given = entry.split("/");
        const forms = given.length > 1 || source === GRAMMAR ? given : formsOf(entry);
        for (const form of forms) if (!map.has(form)) map.set(form, family);
      }
    }
  }
  return map;
}

const TABLE = table();
const LONGEST = Math.max(...[...TABLE.keys()].map((key) => key.split(" ").length));

/** Who "spots" something sees it; any other "spot" is a place. */
const SPOTTER =
  /^(?:i|you|we|they|did|do|to|last|first|ever|can|could|might|would|will|not|anyone|anybody|somebody|someone|he|she|robot|and|please)$/;

/** The family of the words that begin at `at`, the longest phrase first, and how many words it takes. */
export function familyAt(
  words: readonly string[],
  at: number,
): { readonly family: string; readonly length: number } | undefined {
  if (/^spots?$/.test(words[at]!) && !SPOTTER.test(words[at - 1] ?? ""))
    return { family: "place", length: 1 };
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const family = TABLE.get(length === 1 ? words[at]! : words.slice(at, at + length).join(" "));
    if (family !== undefined) return { family, length };
  }
  return undefined;
}
