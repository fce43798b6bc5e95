"""The tables of the embedded reader: which words make a thing of which class, which words relate people and things.

The classes are a small fixed set in the dataset's own namespace; discovery of finer ones is the schema's job.
"""

from __future__ import annotations

PERSON, ORGANIZATION, PLACE, WORK, EVENT, GROUP = "Person", "Organization", "Place", "Work", "Event", "Group"
PRODUCT, LAW, LANGUAGE, AWARD, CONCEPT = "Product", "Law", "Language", "Award", "Concept"

CONFIDENCE: dict[str, float] = {
    PERSON: 0.9,
    PLACE: 0.9,
    ORGANIZATION: 0.85,
    WORK: 0.85,
    LANGUAGE: 0.85,
    EVENT: 0.8,
    AWARD: 0.8,
    GROUP: 0.8,
    LAW: 0.75,
    PRODUCT: 0.75,
    CONCEPT: 0.6,
}
"""Class → confidence in an entity of it: a property of the class, so that every document says the same."""

RECOGNISED: dict[str, str] = {
    "PERSON": PERSON,
    "ORG": ORGANIZATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "WORK_OF_ART": WORK,
    "EVENT": EVENT,
    "PRODUCT": PRODUCT,
    "LAW": LAW,
    "LANGUAGE": LANGUAGE,
}
"""OntoNotes label → class. Peoples and creeds (NORP) are adjectives more often than names and are left out."""


def words_of(text: str) -> frozenset[str]:
    """A table of words written as running text.

    >>> sorted(words_of("duke count"))
    ['count', 'duke']
    """
    return frozenset(text.split())


def _table(**words: str) -> dict[str, str]:
    return {noun: name for name, nouns in words.items() for noun in nouns.split()}


HEADS: dict[str, str] = _table(
    Person="""actor actress artist author writer poet novelist playwright screenwriter director filmmaker producer composer
        musician singer songwriter rapper drummer guitarist pianist violinist dancer model comedian presenter host painter sculptor
        architect photographer politician statesman diplomat lawyer judge soldier officer general admiral commander king queen
        prince princess emperor empress duke duchess earl count countess baron baroness marquess viscount lord lady nobleman
        noblewoman knight pope bishop archbishop cardinal priest monk nun saint abbot abbess theologian philosopher historian
        scientist physicist chemist biologist mathematician astronomer engineer inventor physician surgeon doctor nurse teacher
        professor academic scholar journalist editor broadcaster businessman businesswoman entrepreneur executive activist
        footballer player cricketer athlete swimmer boxer wrestler cyclist sprinter golfer skier skater coach manager goalkeeper
        midfielder striker defender pitcher quarterback explorer sailor aviator astronaut criminal murderer outlaw man woman
        boy girl person son daughter brother sister father mother husband wife widow grandfather grandmother grandson
        granddaughter uncle aunt nephew niece cousin heir heiress consort minister president chancellor senator governor mayor
        ambassador peer ruler sultan caliph shah tsar margrave landgrave elector sovereign monarch chieftain founder jurist economist
        linguist botanist zoologist geologist psychologist critic cinematographer animator cartoonist illustrator designer
        choreographer conductor soprano tenor lyricist youtuber magician chef racer driver jockey referee umpire civilian assistant
        mountaineer optician sailor miller brewer""",
    Work="""film movie picture documentary short album single song EP ep novel book novella story play drama musical opera ballet
        symphony poem anthology magazine newspaper journal comic manga anime series sitcom show episode soundtrack thriller
        comedy western remake sequel prequel trilogy painting sculpture video game videogame autobiography biography memoir telenovela
        miniseries feature soap ballad track mixtape cartoon franchise essay treatise screenplay melodrama romance adaptation
        featurette serial compilation hymn sonata concerto textbook atlas dictionary encyclopedia encyclopaedia catalogue
        catalog periodical""",
    Place="""place city town village hamlet municipality commune district county province state region country island archipelago river
        lake mountain hill valley bay sea ocean desert forest park street road square bridge building church cathedral castle palace
        stadium airport station lighthouse mine mill factory quarry crater suburb neighborhood neighbourhood borough parish township
        settlement community territory kingdom
        empire duchy republic capital continent peninsula tributary stream creek volcano range plateau cemetery
        canton prefecture department commune locality house mansion tower monument reservoir dam canal harbor harbour port
        arena theatre theater resort ward constituency glacier waterfall abbey monastery mosque temple""",
    Organization="""company corporation firm bank manufacturer publisher retailer airline label studio broadcaster
        university college school institute academy hospital agency organization organisation association federation union
        party club team band group orchestra ensemble choir charity foundation society council committee commission
        ministry newspaper network channel brand conglomerate subsidiary startup cooperative consortium league
        duo trio quartet army regiment brigade division legion navy fraternity sorority order laboratory observatory museum gallery library
        brewery distillery shipyard foundry""",
    Event="""war battle siege campaign revolution revolt rebellion tournament championship cup festival election referendum
        earthquake hurricane massacre ceremony conference olympics race match season expedition competition treaty conflict""",
    Product="""car automobile aircraft airplane ship locomotive engine rifle pistol tank missile rocket satellite spacecraft
        telescope spectrograph spectrometer instrument camera computer processor smartphone console software program
        protocol drug vaccine motorcycle submarine destroyer frigate yacht telephone microscope refractor reflector
        clock lens dome machine device probe""",
    Language="language dialect",
    Award="award prize medal trophy title honour honor fellowship",
    Law="law act statute bill constitution directive amendment",
    Concept="""comet planet asteroid galaxy nebula constellation moon species genus disease syndrome mineral element compound protein gene
        theory theorem equation algorithm concept method technique process plant tree bird fish insect moth beetle mammal""",
)
"""Head noun of “X is a … <noun>” → class."""

PERSON_ENDINGS = ("ist", "ician", "woman", "sman", "grapher", "ologist", "maker", "player", "writer", "singer", "keeper")

NAME_HEADS: dict[str, str] = _table(
    Organization="""university college institute academy school company corporation inc ltd gmbh corp council committee party
        association society foundation federation league club orchestra museum studios pictures records entertainment group
        ministry department bank hospital church army navy parliament senate congress band press productions films broadcasting airlines
        united fc observatory laboratory instruments works library gallery trust brewery brothers""",
    Place="""river lake mountain mount island islands county province district city castle palace street bridge valley bay sea ocean
        cathedral abbey airport station park cemetery forest lighthouse tower dam mine hills square stadium theatre kingdom republic
        desert""",
    Award="award awards prize medal trophy oscar fellowship",
    Event="war battle olympics games festival championship championships cup revolution tournament siege crusade conference",
    Law="act treaty constitution",
    Work="atlas dictionary encyclopedia encyclopaedia catalogue gazette concerto sonata",
    Product="telescope camera refractor reflector spectrograph",
)
"""Head of a name → class, where the recogniser is known to waver: the last word, or the one before “of”."""

NAME_STARTS: dict[str, str] = _table(
    Concept="comet",
    Place="mount lake river cape fort lac rio mont gulf",
)
"""First word of a name → class."""

SURNAMES = words_of(
    """park church castle bridge bay street bank press lake mount rivers cup forest tower mine river gallery trust fort hills cape
        brothers dam"""
)
"""Heads of names that are surnames as well: weak evidence."""

BODIES = words_of("sun moon")
"""Names of heavenly bodies that stand for no person."""

SEATS = words_of("headquarters office offices seat base campus")
"""What an organization has at a place."""

PARTS = words_of("music score soundtrack screenplay script story lyrics cinematography dialogue plot songs")
"""What a work consists of: who made it had a part in the work."""

SETTLEMENTS = words_of("village town city hamlet municipality province district county island port suburb commune parish capital state")
"""Nouns whose “of” names the place itself (“the town of Vale”)."""

_PERSONAL_ENDINGS = ("er", "or", "ist", "ian", "ant", "ent", "ee", "man", "eer", "ess", "ive", "ard", "ate", "ite", "ic", "ese", "ish")
_PERSONAL = words_of(
    """native member star figure legend pioneer hero friend ally rival bastard orphan twin celebrity expert adult kid baby dwarf guru
    guest victim survivor youth genius virtuoso prodigy recipient graduate alumnus alumna fellow spy agent rebel slave icon person
    personality polymath ace pro chief medium psychic mystic cleric heretic saint pro veteran suspect name talent individual"""
)

HONORIFICS = words_of("""mr mrs ms dr sir dame king queen emperor empress president sultan rev prof professor captain general""")
"""Stripped in front of a full name; a title that makes the name (“Pope Pius”, “Prince Albert”) stays."""

POST_NOMINALS = words_of(
    "KG KT KP PC OBE MBE CBE KBE DBE CH KCB GCB CB VC DSO DSC MC FRS FBA QC KC MP KCMG GCMG CMG GCVO KCVO CVO OM AO AM AC CC OC PhD MD"
)
"""Honours and degrees behind a person's name, no part of it."""

NOBLE = words_of(
    """baron baroness duke duchess earl count countess marquess marquis marchioness viscount viscountess lord lady prince princess
    king queen elector margrave landgrave baronet emperor archduke archduchess margravine electress dauphin jr jr. sr sr."""
)
"""What may follow a comma within one name (“Richard Wesley, 1st Baron Mornington”)."""

KIN: dict[str, str] = {
    **dict.fromkeys(words_of("father son brother husband grandfather grandson uncle nephew widower stepfather stepson stepbrother"), "he"),
    **dict.fromkeys(words_of("mother daughter sister wife grandmother granddaughter aunt niece widow stepmother stepdaughter"), "she"),
    **dict.fromkeys(words_of("child cousin spouse parent grandchild sibling descendant ancestor fiancé twin half-brother"), ""),
    **{f"{word}-in-law": sex for word, sex in (("father", "he"), ("son", "he"), ("brother", "he"))},
    **{f"{word}-in-law": "she" for word in ("mother", "daughter", "sister")},
}
"""Kinship noun → pronoun of the person it describes."""

GENDERED: dict[str, str] = {
    **KIN,
    **dict.fromkeys(
        words_of(
            """king prince emperor duke earl count baron lord nobleman statesman pope bishop archbishop cardinal monk priest businessman
    sportsman man boy actor knight abbot gentleman chairman footballer"""
        ),
        "he",
    ),
    **dict.fromkeys(
        words_of(
            """queen princess empress duchess countess baroness lady noblewoman nun businesswoman sportswoman woman girl actress abbess
    heiress chairwoman hostess"""
        ),
        "she",
    ),
}
GENDERED["actor"] = GENDERED["footballer"] = ""

ROLES = words_of(
    """director founder co-founder cofounder author writer creator composer producer editor designer architect inventor owner
    president chairman chairwoman chair ceo head leader commander king queen duke duchess prince princess count countess earl
    emperor empress governor mayor bishop archbishop minister secretary ambassador successor predecessor heir student pupil
    teacher mentor colleague partner friend rival ally vassal regent consort ruler lord baron capital headquarters general
    chancellor commissioner chief officer subsidiary supplier manufacturer publisher distributor home birthplace hometown
    seat tributary member singer guitarist drummer bassist vocalist frontman manager coach captain"""
)
"""Nouns that relate their bearer to the owner named by a possessive (“the company's founder, Ada Lind”)."""

PARTITIVE = words_of(
    """one some number series type kind form lot many most all variety result couple pair set list range group majority minority
    rest end beginning start middle name case cause time year day period age aspect example sort bit handful total half third
    some several few each any use lack way means"""
)
"""Nouns before `of` that say nothing by themselves."""

GENERIC_HEADINGS = words_of(
    """abstract introduction contents references bibliography appendix conclusion conclusions acknowledgements acknowledgments index
    overview summary background results discussion methods chapter section preface foreword notes history untitled readme
    home document page figure table"""
)

SYNONYMS: tuple[frozenset[str], ...] = (
    frozenset({"film", "movie", "picture", "documentary", "feature", "drama", "comedy", "thriller", "remake", "sequel"}),
    frozenset({"company", "firm", "corporation", "manufacturer", "publisher", "conglomerate", "brand", "startup", "business"}),
    frozenset({"song", "single", "track", "ballad"}),
    frozenset({"album", "record", "ep", "mixtape", "compilation", "soundtrack"}),
    frozenset({"book", "novel", "novella", "memoir", "biography"}),
    frozenset({"band", "group", "duo", "trio", "quartet"}),
    frozenset({"show", "series", "sitcom", "miniseries", "telenovela"}),
    frozenset({"town", "city", "village", "municipality", "settlement", "commune", "suburb", "hamlet"}),
    frozenset({"club", "team"}),
    frozenset({"university", "college", "school", "institute"}),
    frozenset({"museum", "gallery"}),
    frozenset({"award", "prize", "medal", "trophy"}),
    frozenset({"instrument", "telescope", "spectrograph", "spectrometer", "camera", "microscope"}),
)
"""Nouns that a later sentence may use for the thing a definition introduced with another one (“the film” for a documentary)."""


def class_of_noun(noun: str) -> str | None:
    """The class of what a lower-case singular noun describes, None where the table has no opinion.

    >>> class_of_noun("village"), class_of_noun("cellist"), class_of_noun("gravity")
    ('Place', 'Person', None)
    """
    found = HEADS.get(noun)
    if found is None and (noun.endswith(PERSON_ENDINGS) or noun in KIN):
        return PERSON
    return found


def impersonal(noun: str) -> bool:
    """Whether a noun that the tables do not know cannot be what a person is.

    >>> impersonal("gravity"), impersonal("broker"), impersonal("village")
    (True, False, True)
    """
    type = class_of_noun(noun)
    return type != PERSON if type else not (noun.endswith(_PERSONAL_ENDINGS) or noun in _PERSONAL or noun in ROLES)


def same_kind(noun: str, other: str) -> bool:
    """Whether two nouns can stand for the same described thing."""
    return noun == other or any(noun in group and other in group for group in SYNONYMS)


def generic(noun: str) -> bool:
    """Whether a noun often stands for a thing named before (“the company”)."""
    return any(noun in group for group in SYNONYMS)
