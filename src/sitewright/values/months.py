"""The names of the months, in the languages that newspapers are written in."""

import re
from functools import lru_cache

_STEMS = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "jan/jän feb mär/maer/mrz apr mai jun jul aug sep okt nov dez",
    "fr": "janv fév/fev mars avr mai juin juil août/aout sept oct nov déc/dec",
    "es": "ene feb mar abr may jun jul ago sep/set oct nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "nl": "jan feb maart/mrt apr mei jun jul aug sep okt nov dec",
    "sv": "jan feb mar apr maj jun jul aug sep okt nov dec",
    "no": "jan feb mar apr mai jun jul aug sep okt nov des",
    "da": "jan feb mar apr maj jun jul aug sep okt nov dec",
    "fi": "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
    "is": "jan feb mar apr maí jún júl ágú sep okt nóv des",
    "et": "jaan veeb/veb märts apr mai juun juul aug sept okt nov dets",
    "lv": "janv febr mart apr mai jūn jūl aug sept okt nov dec",
    "lt": "saus vas kov bal geg birž liep rugpj rugs spal lapkr gruod",
    "pl": "sty lut mar kwi maj cze lip sie wrz paź/paz lis gru",
    "cs": "led/lede úno bře dub kvě červn/červen červenc/čvc srp zář říj lis pro",
    "sk": "jan feb mar apr máj jún júl aug sep okt nov dec",
    "sl": "jan feb mar apr maj jun jul avg sep okt nov dec",
    "hr": "siječ velj ožu tra svi lip srp kol ruj lis stu pro",
    "hu": "jan feb márc ápr máj jún júl aug szept okt nov dec",
    "ro": "ian feb mar apr mai iun iul aug sep oct noi/nov dec",
    "sq": "jan shk mar pri maj qer korr gush shta tet nën dhj",
    "tr": "oca şub mar nis may haz tem ağu eyl eki kas ara",
    "az": "yan fev mar apr may iyn/iyun iyl/iyul avq sen okt noy dek",
    "uz": "yan fev mar apr may iyun iyul avg sen okt noy dek",
    "id": "jan feb mar apr mei jun jul agu/agt sep okt nov des",
    "ms": "jan feb mac apr mei jun jul ogo/ogos sep okt nov dis",
    "tl": "ene peb mar abr may hun hul ago set okt nob dis",
    "sw": "jan feb mac apr mei jun jul ago sep okt nov des",
    "ca": "gen febr març abr maig juny jul ag set oct nov des",
    "gl": "xan feb mar abr mai xuñ xul ago set out nov dec",
    "eu": "urt ots mar api mai eka uzt abu ira urr aza abe",
    "ru": "янв фев мар апр мая/май июн июл авг сен окт ноя дек",
    "uk": "січ лют бер кві тра чер лип сер вер жов лис гру",
    "be": "сту/студ лют сак кра/крас мая/май/тра чэр ліп жні вер кас ліс сне",
    "bg": "яну фев мар апр май юни юли авг сеп окт ное дек",
    "sr": "јан феб мар апр мај јун јул авг сеп окт нов дец",
    "mk": "јан фев мар апр мај јун јул авг сеп окт ное дек",
    "kk": "қаң ақп нау сәу мам мау шіл там қыр қаз қар жел",
    "el": "ιαν/γενάρ/γεναρ φεβ/φλεβάρ/φλεβαρ μαρ/μάρ απρ μαΐ/μαι/μάι/μαϊ/μάη ιουν/ιούν ιουλ/ιούλ αυγ/αύγ σεπ οκτ νοε/νοέ δεκ",
    "ka": "იან თებ მარ აპრ მაი ივნ ივლ აგვ სექ ოქტ ნოე დეკ",
    "hy": "հուն փետ մար ապր մայ հունիս հուլ օգո սեպ հոկ նոյ դեկ",
    "he": "ינואר פברואר מרץ/מרס אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    "ar": "يناير/كانون_الثاني فبراير/شباط مارس/آذار أبريل/إبريل/نيسان/ابريل مايو/أيار يونيو/حزيران/يونيه يوليو/تموز/يوليه "
    "أغسطس/آب/اغسطس سبتمبر/أيلول أكتوبر/تشرين_الأول/اكتوبر نوفمبر/تشرين_الثاني ديسمبر/كانون_الأول",
    "fa": "ژانویه فوریه مارس آوریل مه/می ژوئن ژوئیه/جولای اوت/آگوست سپتامبر اکتبر نوامبر دسامبر",
    "ur": "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    "hi": "जन फ़र/फर मार्च अप्रैल मई जून जुल अग सित अक्टू/अक्तू नव दिस",
    "mr": "जाने फेब्रु मार्च एप्रिल मे जून जुलै ऑग सप्टें ऑक्टो नोव्हें डिसें",
    "bn": "জানু ফেব মার্চ এপ্রি মে জুন জুল আগ সেপ অক্টো নভে ডিসে",
    "ta": "ஜன பிப் மார் ஏப் மே ஜூன் ஜூலை ஆக செப் அக் நவ டிச",
    "te": "జన ఫిబ్ర మార్చి ఏప్రి మే జూన్ జులై ఆగ సెప్టెం అక్టో నవం డిసెం",
    "th": "ม.ค./มกรา ก.พ./กุมภา มี.ค./มีนา เม.ย./เมษา พ.ค./พฤษภา มิ.ย./มิถุนา ก.ค./กรกฎา ส.ค./สิงหา ก.ย./กันยา "
    "ต.ค./ตุลา พ.ย./พฤศจิกา ธ.ค./ธันวา",
}
"""How each month's name begins, January to December; `/` parts spellings, `_` stands for a space."""


def fold(name: str) -> str:
    """Fold the case of a month's name as regular expressions do, the Turkish İ and ı included.

    >>> fold("NİSAN") == fold("nisan") == fold("nısan")
    True
    """
    return name.casefold().replace("i\u0307", "i").replace("ı", "i")


def _stems_of(language: str) -> dict[str, int]:
    months = enumerate(_STEMS[language].split(), 1)
    return {fold(stem.replace("_", " ")): month for month, stems in months for stem in stems.split("/")}


def _all_stems() -> dict[str, int]:
    """Merge all languages; a stem that means different months in two of them is left out."""
    merged: dict[str, int] = {}
    conflicting: set[str] = set()
    for language in _STEMS:
        for stem, month in _stems_of(language).items():
            if merged.setdefault(stem, month) != month:
                conflicting.add(stem)
    return {stem: month for stem, month in merged.items() if stem not in conflicting or stem in _stems_of("en")}


@lru_cache(maxsize=64)
def month_pattern(language: str) -> re.Pattern[str]:
    """Return the expression that finds a month's name; the language's own spellings come first."""
    stems = sorted(month_stems(language), key=len, reverse=True)
    spelled = "|".join(re.escape(stem).replace("i", "[iıİ]") for stem in stems)
    tail = r"[^\W\d_]*\.?" if language not in {"zh", "ja", "ko"} else ""
    return re.compile(rf"(?<![^\W\d_])({spelled}){tail}", re.IGNORECASE)


@lru_cache(maxsize=64)
def month_stems(language: str) -> dict[str, int]:
    """Return the beginnings of month names and what they mean in a language (any, where it is not known)."""
    own = _stems_of(language) if language in _STEMS else {}
    return {**_all_stems(), **own}
