// 2,048 short English words, sorted: eleven bits each. Part of the pairing phrase, so never changed once released.
export const WORDS: readonly string[] = `
able absorb access acid acorn acre actor adapt admire admit adobe adore adult aerial affair afford afloat
after again agent agile aglow ahead aide aim air airy ajar alarm album alcove alder alert algae alias alibi
alien align alley alloy almond aloe alpha alpine altar alto always amaze amber amble amend amount ample
amulet amuse anchor angel angle ankle annex anthem antler anvil any apex apple apply apron arbor arc arcade
arch arctic arena argue ark arm armor aroma array arrive arrow art ash aside ask asleep aspen asset assist
aster astral atlas atom atrium attend attic audio audit aura author auto autumn avid avoid awake award aware
axis axle azure back bacon badge baffle bagel bait bake baker ballad ballet balm bamboo banana band banjo
bank banner barber bard bark barley barn baron barrel barrow basic basil basin basket batch bath bathe baton
bay bayou beach beacon bead beam bean bear beard beast beat beaver become bed beef beet began begin behind
beige bell belong belt bench bend beret beside best beta better bevel beyond bib big bike bind binder bingo
birch bird bison bite black blade blaze blazer blend bless blimp blink bliss block bloom blot blouse blow
blue bluff blunt blur board boast boat bobcat body bold bolt bonbon bond bone bonnet bonus book boost boot
booth border boss botany bother bottle bottom bounce bowl box boxer brace brain branch brand brass brave
bravo break breeze brew brick bride bridge brief bright brim bring brisk broad bronze brook broom broth
brown brush bubble bucket buckle bud buffet bugle build bulb bull bump bunch bundle bunk bunny burrow burst
bus bush busy butler butte butter button buyer buzz cabin cable cactus cafe cage cake calf calico call calm
camel camera camp canal canary candid candle candy cane canoe canopy canvas canyon cape caper car carbon
card cargo carol carp carpet carrot cart carve case cash cashew cast castle cat catch cave cavern cedar
celery cello cement center cereal chain chair chalk champ chant chapel charm chart chase cheap check cheek
cheer cheese chef cherry cherub chess chest chew chief chili chill chime chin chip chive choice choir chorus
chrome chunk cider cinema circle circus citrus city civic claim clam clap clash class claw clay clean clear
clerk cliff climb cling clinic clip cloak clock cloth cloud clover clown club clue coach coal coast coat
cobalt cobble cobra cocoa code coffee coil coin cola cold collar colony color column comb comet comic comma
commit common condor cone consul convoy copper copy coral cord core cork corn corner corral cotton couch
count couple court cousin cove cover cow cowboy coyote cozy crab cradle craft crane crate crater cream creek
crepe crest crew crisp crocus crop cross crow crowd crown cruise crumb crust cub cube cuff cup curb curl
curry curve custom cycle daily dairy daisy damsel dance dandy dapper dark dart dash data date dawn day
dazzle dean debut decade decent decide deck deed deep defend define degree delta deluxe den denim denote
depot depth derby desert design desire desk detail detour device dial diary dice diesel diet differ digit
dill dime diner dinghy dingo dinner direct disc dish disk ditch dive divide dizzy dock doctor dodge dog doll
dollar domain dome domino donkey donor donut doodle door dose dot double dough dove down dozen draft dragon
drain drama draw drawer dream dress drift drill drink drive drop drowsy drum dry duck duel duet duke dune
dusk dust duty dwell dynamo eager eagle early earn earth easel east easy eat echo edge edit editor effect
effort egg either elbow elder elect eleven elf elk elm email embark ember emerge empire empty emu enable
encore end endure energy engine enjoy enough ensign enter entire entry envoy epic equal era errand escape
escort essay estate even event ever evolve exact exam exhale exit exotic expand expert extra eye fable
fabric face fact fade fairy faith falcon fall fame family fan fancy farm fast favor fawn feast fence fennel
fern ferry fest fetch fever fiber fiddle field fig figure file fill film filter final finch find fine finger
finish fire firm first fish fist fit five fix fjord flag flair flame flap flare flash flask flat flavor flax
fleece fleet flesh flint flip float flock flood floor flow flower fluid flute fly foam focus fog foil fold
folk font food foot force forest forge fork form fort forum fossil four fox frame free fresh friend frog
front frost fruit fudge fuel full fun funnel fuse future gable gadget gain gala galaxy gale gallon gallop
game gamma gap garage garden garlic garnet gate gather gauge gauze gavel gaze gear gecko gem genie gentle
genus ghost giant gift girl give glad glass glaze gleam glide globe glory glove glow glue gnome goal goat
gold golf gone good goose gospel gourd grace grade grain grand grant grape graph grass gravel great green
greet grid grill grin grip grocer groom groove group grove grow guard guava guess guide guild guitar gulf
gull gum guppy guru gust gym habit hail half halo ham hamlet hammer hand handle happy harbor hard harp hat
hatch haven hawk hay hazel head heart heat heavy hedge height helium hello help hen herald herb hero heron
hike hill hilt hint hip hippo hive hobby hockey hold holly home honest honey honor hood hoof hook hoop hop
hope horn hose host hotel hound house hover hub huddle hug hull human humble humid humor hunt hurdle husky
hut hymn ice icicle icon idea igloo image impala inbox inch index indigo ink inlet inn input insect invite
iris iron island item ivory ivy jab jacket jade jaguar jar jaw jazz jeans jeep jelly jersey jest jet jewel
jigsaw job jockey jog join joke jolly joy judge juice jumbo jump jungle junior junk jury just kale karate
kayak keel keep kelp kernel kettle kick kid kiln kilo kilt kind king kiosk kite kitten kiwi knee knife knit
knob koala label lace ladder lady lagoon lake lamb lamp lance land lane lap large lark laser lasso last late
latte laugh launch laurel lava law lawn layer league leap learn leash ledge leek left leg legend lemon lend
lens lentil letter level lever lid life lift light lilac lily limb lime limit line linen link lion lip
liquid list listen liter live lizard llama load loaf lobby local lock locket locust lodge loft log logic
long look loom loop lotus loud lounge love loyal luck lumber lunar lunch lung luxury lyric macaw macro madam
magic magma magnet magpie maid major make mall mallet malt mammal mango manor mantle map maple marble march
mare margin marine mark market maroon marsh mascot mask mason mast mat match math matrix matter mauve may
mayor meadow meal media medley melody melon member memo mend menu merit merry mesa mesh meteor meter method
metro mew micro midday middle might mild mile milk mill mimic mine minnow mint minus minute misty mitten mix
mobile mocha model modem modest mole moment month mood moon moose mop mosaic moss motel moth mother motion
motor mound mount mouse mouth move movie mud muffin mug mule mural museum music musk must myth nacho nail
name nap napkin narrow nation native nature navy near neat nebula neck nectar neon nephew nerve nest net
nettle new news newt next nice nickel niece nimble nine ninja noble node noise nomad noodle noon normal
north nose note notion novel nurse nut nutmeg nylon oak oasis oat object oboe ocean ocelot octave odd offer
office often oil old olive omega omit onion online onyx opal open opera option orange orbit orchid order
organ origin oriole osprey other otter ounce outfit outlet oval oven over owl owner oxide oxygen oyster
ozone pace pack paddle page paint palace palm pan panama panda panel panic pansy pantry papaya paper parade
parcel park parka parrot part party pasta paste pastel patch path patio patrol pave paw peach peak peanut
pearl pebble pecan pedal pen penny people pepper perch period permit person petal phase phone photo phrase
piano pickle picnic pie pier pigeon pillow pilot pin pinch pine pink pint pipe pitch pivot pixel pizza place
plaid plan planet plank plant plate play plaza plum plume plus plush pocket poem poet point polar polish
polka pollen polo pond pony pool poplar poppy porch port portal poster pot potato potion pouch powder power
prefix press pretty print prism prize prompt proof proper prose proud prune public puddle puffin pulley pulp
pulse puma punch pupil puppet puppy pure purple purse push puzzle quail quake quart quartz queen quest queue
quick quiet quill quilt quince quirk quiver quiz quota quote rabbit race rack radar radio radish raft rail
raisin rake rally ramp ranch random range rapid rare raven ravine raw ray razor reach ready real rebel
recipe record reef reflex refuge regal region relay relic relief remedy remix rent repair reply rescue resin
resort rest result retro return reward rhino rhyme rhythm rib ribbon rice rich riddle ride ridge rinse ripe
ripple rise ritual river rivet roast robe robin robot rock rocket rodeo roof rook room rope rotor rough
round rover row royal ruby rudder rug ruler rumor run runner rural rush rust rustic sabre sack saddle safari
safe sage salad salmon salon salsa salt salute same sample sand sandal satin sauce sauna save saw scale
scarf scent school scone scoop scoot scope score scout scrap screen screw script scroll scuba seal season
seat second secret seed select senate senior sense sequel serene series sermon set seven shade shaft shale
shape share shark sharp shawl shed sheep sheet shelf shell shift shine ship shirt shoe shop shore short
shovel show shrimp shrub shy side siege sierra sigh sign signal silent silk silo silver simple singer sink
siren sister six sixty size skate sketch ski skill skin skirt sky slab slate sled sleep sleeve slice slide
slim slogan slope slot slow slug small smart smile smoke smooth snack snail snake snap snow soap soccer
social sock soda sofa soft soil solar sold solid solo sonar song sonic sorbet sound soup south space spade
spare spark spear speed spell spend spice spider spike spin spirit split sponge spoon sport spot spray
spring sprout spruce spur squad square squash squid stable stack staff stage stamp stand staple star start
state statue steam stem step stereo stew stick still sting stitch stock stone stool stop stork storm story
stove strait strap straw stream street strike string strip strong studio study sturdy style suburb subway
sugar suit sulfur summer super supper surf surge survey sushi swamp swan swarm swift swim swing switch sword
syrup system table tablet tackle taco tailor talcum talent talk tall tango tank tape tapir target tariff
taro tart task taste tavern taxi teach teapot temple tempo ten tennis tent term test text thank theme theory
thick thing think third thirst thorn thread three thrift throat throne thrush thumb thyme tiara ticket tidy
tiger tile timber time tin tinsel tiny tip tiptoe tire tissue titan title toad toast today toffee token
tomato tone tongue tonic tool tooth topaz topic torch total toucan touch tour towel tower town toy track
trade trail train tram trap tray treat tree trek trend trial tribe trick trim trio trip trophy tropic trout
truck true trunk trust truth tuba tube tuft tug tulip tuna tundra tunic tunnel turbo turf turkey turn turnip
turtle tutor twelve twig twin twist two tycoon type ultra umbra umpire uncle under union unique unit unity
upper upward urban urchin usage useful usher usual utopia vacuum vague valid valley value valve van vapor
vase vast vault vector velvet vendor venue verb verse vessel vest video view villa vine vinyl viola violet
viper virtue visa vision visit visor vital vivid vocal vogue voice volt volume vortex vote voyage wafer
waffle wage wagon wake walk wall wallet walnut walrus waltz wand want warm warp wash wasp watch water wave
wax wealth weave web wedge west wharf wheat wheel whip white wicker wide widget width wife wild willow wind
window wine wing winner winter wire wisdom wish wizard wolf wombat wonder wool word work world worth wrap
wreath wren wrist yacht yak yam yard yarn year yeast yellow yes yoga yogurt young youth yoyo yucca zebra
zephyr zero zest zigzag zinc zipper zodiac zone zoo zoom
`
  .trim()
  .split(/\s+/)
