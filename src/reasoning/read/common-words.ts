const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Verbs in the forms they are used in, where no common thing of a house is called the same. */
const VERBS = `
accept accepts accepted accomplish accounts achieve achieved acts acted acting adjust admire admit advertise afford
affect agree agrees agreed agreeing aim aims aimed aligned allocate amount amounts announce answer answered
anticipate apply applies applied arise arises arose ascertain ask asked asking asks assemble assert assess assign
assume assumed attach attached attend attract avoid await awaits awaiting base based become becomes becoming began
begin begins begun beginning behave beg begs boasts borrow borrowed bother bought break breaks broke brought build
buy calculate called calm care cared cares catches catch caught caused causes cease ceased challenge claim claims
claimed classified climb collect collected combine communicate compose conceal concealed concern concerns conclude
conduct confirm confirmed connect connected consider considered considering consists construct consult consume
continue continued continues convince cool correspond corresponds create created crossed deal decide decided decides
declare deem deemed define defined delight demand demonstrate deny depend depends derive deserve deserves designate
designated determine determined develop devote die died dig direct disclose discovered discuss dispose distinguish
distract disturb disturbed divide draw draws eat eats eating ate eaten elaborate emerge emerged emerges enjoy
enjoyed ensure entertain equate escape escaped establish evaluate evolve examine examined exist existed existing
exists expand experience explore explored express extend extended extends fail failed fails favour feed feels felt
fetch fetched filled fills finish finished fled flee focus focused follow forget formed fulfil gain gathered gave
glance glanced govern greet greeted greets grew grow grown guarantee guided handled happen happened happening
happens hear heard hears help hid hurry identify ignore illustrate improve indicate indicates infer infers influence
inform intended involve involves joined judge judging jump kick kill kneel kneeling knock lacks laugh learn learned
learnt lend lifted lifting liked linked listening live loaded loan locked lodged looked looks lose loses losing love
loved lowered maintain manage managed manages manoeuvre matters mention mentioned mind mistake moved narrate needed
needing neglect nod noted occur occurred occurs offered opened ought overlook overlooked paired pause paused pay
peek perform performs permit permits persuade pertain pick picks pinpoint pleased pointing portray portrayed
portrays possess practise pray prefer preferred prepare prepared pretend prevent proceed produce promise propped
protect prove proved provide provided provides push pushed pushes puts raise raised ranges reach reached react
realise realised realize realized receive received reckon recognised recollect recorded refer refers reflect refresh
refuse regard regards registered registers relate related relates relax release rely remain remained remembers
remind reminded removed render repeat replace replaced reply represent represented require requires reserve reserved
resolve respond responds restore resulted retain retrieve retrieved reveal revealed reveals revisit ride rode ruled
scared seek seeks seeking seemed seems select sell send sent served serves settle settled shake showed showing shown
shows shut shout sing sit situate slid slipped smell snatch solve sought speak speaking speaks spoke spoken stacked
started starts stated stay steal stole stopped stressed struck studied submit suffice suffices suggest suggested
suggests summon suppose supposed surprise surveyed suspect suspected suspects swap swapped switched switching talk
talked talking tend tends thank think thinking thought thrown touches touched traced tracked transpired transpire
travel treat tried tries trigger try trying understand understood undertake undergo undergone underwent unite urge
utilised varies vary verified wait waited waiting waits wake warm warn washed watched watching wearing wears weigh
went whisper witness wonder wondered wondering worked works worry wrapped wrote zoom became befell consist request attain attains reach surround belong belonged
compute computed depart deduce describe discern divulge gauge hover imagine intrude logged peruse recount relay
scour tallied totalled traverse traversed clocked strayed stray migrate migrated commute loiter loitered loitering
trod marched marching hike hiking hurrying hurried jog jogging rush rushed rushing saunter sauntering stride
striding strode amble ambled ambling shuffle shuffled plod trudge dashed sprint sprinted wend strut limping limp
crawled fancied recline reclined unwind snooze doze dine dines munch cuddle concentrate
`;

const ADVERBS = `
abruptly absolutely accordingly accurately actively afresh afterward again ahead almost aloud already also although
always anyhow anymore anytime anyway apiece approximately aside awhile backward backwards badly barely besides
beyond briefly broadly certainly chiefly clearly closely collectively commonly completely considerably consistently
constantly continuously correctly currently daily definitely deliberately directly distinctly doubtless down
downward downwards due early easily effectively elsewhere entirely especially essentially evenly eventually
evidently exactly exclusively explicitly extremely fairly far finally firmly formerly forward forwards frankly
freely fully furthermore generally gently genuinely gradually greatly hardly hence here highly hither however
immediately inclusive incidentally increasingly individually instantly instead intentionally inward jointly largely
lastly leftover lengthwise less lightly likewise literally little longer longest loosely loudly mainly mostly much
namely naturally nearly neatly necessarily neither nevertheless newly nonetheless nor normally notably nowhere
obviously occasionally often once onward onwards openly otherwise outright outward overall overhead overnight
particularly partly per perfectly permanently physically possibly practically precisely predominantly presumably
previously primarily promptly properly purely quite radically randomly rarely readily reasonably recently regardless
relatively reliably respectively roughly safely scarcely seemingly seldom separately seriously sharply shortly
sideways significantly silently similarly simultaneously slightly slowly smoothly solely somehow sometime sometimes
somewhat soon sooner specifically spontaneously squarely steadily straight straightaway straightforward strictly
strongly subsequently substantially successively suddenly sufficiently supposedly surely temporarily thereby
therefore thoroughly though through thus tightly together tomorrow too totally truly twice thrice typically
ultimately underfoot undoubtedly unexpectedly uniformly unfortunately upright upside upward upwards usually utterly
versus vertically virtually visibly visually westward whatsoever whereby wherefore wherewith wholly wide widely
willingly worldwide yesterday-evening per-se room-wise area-wise place-wise house-wide time-wise speed-wise
distance-wise position-wise location-wise via minus
`;

const ADJECTIVES = `
able above-mentioned absolute accessible accurate actual adequate aforementioned alive alone approximate apt
available average aware awful bad basic beautiful beloved better bored brief brisk busy calm careful cautious
central cheap cheerful chilly chosen circular clear cold collective comfortable comfy common complete concerned
confident constant content cool corresponding cosy cozy crowded curious cute daily damp dear definite detailed
direct discernible distinct dull eager earlier early easy effective elderly elevated emptier entire equal essential
everyday evident exact excellent existing expensive extra extreme faint fair familiar famous fancy fantastic far-off
farthest fewest final fine firm fit fixed flat following foremost former fortunate forgotten frequent fresh fuller
fullest functional furthest general generous gentle genuine giant given glad good gorgeous gradual grand great
greater gross handsome happy hard harsh healthy heavier heaviest heavy hefty helpful hidden high highest hot huge
hungry ideal identical immediate important impressive inclined individual inner inside intact intended interested
interesting intimate joint keen key kind large last late latter lengthy less-used lesser likely linear little lively
local lone lonely longer longest loose loud lovely low lowest lucky lush main major many marvellous massive maximum
meaningful mere mild mini minimal minimum minor missing modest mutual mysterious narrow narrowest natural neat
necessary nervous nice noisy normal notable noticeable obvious occasional odd older oldest only opposite optimal
ordinary original orientated outer outmost overall parallel particular past peaceful peckish perfect permanent
personal pleasant plentiful popular portable possible potential precise precious preferable present presentable
previous primary private probable productive prone proper proud public pure quicker quickest quiet quieter quietest
rapid rare raw ready real reasonable recent recognisable regular relative relaxed relaxing relevant reliable
remaining remote resident respective restful rich right-most rightful rough sad safe satisfactory secluded secure
sensible separate serene serious several shared sharp sheer shiny shy sick significant silent simple single
sitting-down sizable sleepy slight slow slower slowest sluggish smart smooth sociable social soft sole solid sore
spacious spare special specific speedy stable standard steady stiff still strange strict strong stupid sturdy
suitable sunny superb supposed sure surplus sweaty swift tall temporary terrible thirsty thorough tidy-looking tight
tiniest tired top-most topmost total tranquil trendy true typical ugly ultimate unable unaware uncertain unchanged
unclear unfamiliar unique unknown unlikely unmoved unoccupied untouched unused unusual upper uppermost useful usual
vague valid valuable varied various vast very visible vital vivid weak weary well-lit whole wide-open widespread
widest willing windy wise wonderful worn worse worst worth wrong young
`;

/** Frequent words beside the closed class and the vocabulary; they are spelt as they should be. */
export const COMMON: ReadonlySet<string> = new Set([
  ...words(VERBS),
  ...words(ADVERBS),
  ...words(ADJECTIVES),
]);
