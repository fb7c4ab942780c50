"""Words of everyday topics for noise documents, chosen to be rare in source code and its documentation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Topic:
    """Words of one topic, lower case; no word stands in two topics. Verbs are in the third person."""

    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]


def _topic(nouns: str, verbs: str, adjectives: str) -> Topic:
    return Topic(nouns=tuple(nouns.split()), verbs=tuple(verbs.split()), adjectives=tuple(adjectives.split()))


TOPICS = (
    _topic(
        "trellis compost lavender begonia rhubarb wheelbarrow hydrangea mulch greenhouse marigold"
        " peony earthworm rosemary turnip hedgerow seedling",
        "blossoms withers germinates sprouts wilts ripens burrows twines",
        "fragrant leafy thorny loamy perennial sunlit overgrown mossy",
    ),
    _topic(
        "drizzle thunderstorm blizzard barometer hailstone cumulus monsoon frost rainbow icicle sleet"
        " snowdrift fog whirlwind breeze puddle",
        "drenches thaws rumbles scorches pelts howls glistens subsides",
        "humid chilly overcast gusty misty balmy wintry torrential",
    ),
    _topic(
        "schooner halyard spinnaker rudder lighthouse mainsail barnacle dinghy seagull jetty lagoon"
        " bosun yacht seaweed driftwood oar",
        "capsizes moors tacks drowns paddles sculls bobs sways",
        "briny nautical barnacled seaworthy windward coastal tidal salty",
    ),
    _topic(
        "marmalade saucepan cinnamon dumpling casserole nutmeg omelette sourdough ladle zucchini"
        " paprika gingerbread mustard skillet vinegar almond",
        "simmers sizzles ferments caramelizes bakes thickens marinates crumbles",
        "savory buttery crispy peppery juicy roasted sugary tangy",
    ),
    _topic(
        "sparrow nightingale woodpecker heron plumage goldfinch kingfisher ostrich puffin magpie"
        " cuckoo eyrie beak pelican robin thrush",
        "warbles chirps hatches soars roosts pecks preens swoops",
        "feathered speckled nocturnal melodious downy flightless crested scarlet",
    ),
    _topic(
        "mittens cardigan yarn thimble embroidery bobbin velvet quilt tweed scarf crochet flannel"
        " corduroy lace wool satin",
        "unravels knits frays shrinks drapes itches hems dangles",
        "woolen cozy tattered plaid silky handmade knotted quilted",
    ),
    _topic(
        "violin oboe clarinet timpani cello orchestra soprano waltz bassoon minuet trombone"
        " harpsichord lullaby xylophone mandolin piccolo",
        "hums croons serenades crescendos strums plucks yodels whistles",
        "sonorous plaintive lyrical lilting rhapsodic mournful jaunty symphonic",
    ),
    _topic(
        "granite glacier basalt quartz canyon limestone geyser stalactite volcano boulder obsidian"
        " plateau ravine sandstone amethyst cavern",
        "erodes erupts crystallizes melts looms quakes smolders tumbles",
        "craggy molten jagged sedimentary fossilized rugged glacial chalky",
    ),
    _topic(
        "beehive honeycomb bumblebee nectar pollen dragonfly ladybug beetle caterpillar butterfly"
        " earwig moth grasshopper firefly cocoon mantis",
        "buzzes swarms pollinates nibbles slithers scurries molts stings",
        "iridescent winged wriggling waxy bristly luminous spindly honeyed",
    ),
    _topic(
        "teapot porcelain kiln saucer terracotta pitcher enamel earthenware jug goblet vase"
        " candlestick chandelier carpet mantelpiece armchair",
        "glazes shatters gleams tarnishes wobbles chimes flickers creaks",
        "ceramic ornate antique glazed chipped polished gilded lacquered",
    ),
    _topic(
        "foal pony donkey orchard haystack barn shepherd meadow ewe goose plough scarecrow windmill"
        " buttermilk piglet farmhouse",
        "grazes whinnies bleats trots wallows ploughs sows neighs",
        "rustic muddy pastoral woolly shaggy docile grassy barefoot",
    ),
    _topic(
        "grandmother birthday picnic seesaw wedding parade lantern confetti sandcastle kite toboggan"
        " hammock bonfire marionette balloon lemonade",
        "giggles waltzes applauds strolls yawns daydreams rejoices sneezes",
        "cheerful festive sleepy nostalgic merry giddy bashful dainty",
    ),
)

GLUE = ("the", "beneath", "beside", "behind", "beyond", "above", "amid")
