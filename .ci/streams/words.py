"""Titles, names and search terms in twenty scripts."""

import unicodedata

SCRIPTS = {
    "latin": ["Cien", "años", "de", "soledad", "Márquez", "Ångström", "naïve", "Œuvre", "Straße", "ﬁlm", "Łódź", "O'Brien", "co-op"],
    "turkish": ["İstanbul", "ışık", "Yağmur", "IĞDIR", "diyar"],
    "vietnamese": ["Truyện", "Kiều", "Nguyễn", "Du", "đường", "ngưỡng"],
    "greek": ["Οδύσσεια", "Όμηρος", "λόγος", "ΛΟΓΟΣ", "ᾧ", "Καβάφης"],
    "cyrillic": ["Война", "мир", "Ёлка", "йод", "Булгаков", "КИЇВ"],
    "hebrew": ["שָׁלוֹם", "שלום", "סֵפֶר", "אהבה"],
    "arabic": ["ألف", "ليلة", "وليلة", "كِتَاب", "ر", "نجيب", "أ"],
    "devanagari": ["गोदान", "गोद", "प्रेमचंद", "हिन्दी", "की", "क्षितिज"],
    "bengali": ["গীতাঞ্জলি", "রবীন্দ্রনাথ", "ঠাকুর", "কবি"],
    "tamil": ["பொன்னியின்", "செல்வன்", "கல்கி", "தமிழ்"],
    "thai": ["คน", "ค", "สี่แผ่นดิน", "น้ำ", "กรุงเทพ"],
    "korean": ["채식주의자", "한강", "소년이", "온다", "가"],
    "kana": ["がんばれ", "ノルウェイの森", "ぱぴぷ", "カ", "ガ", "むらかみ"],
    "han": ["紅樓夢", "红楼梦", "三体", "夢"],
    "armenian": ["Հայաստան", "գիրք", "և"],
    "georgian": ["ვეფხისტყაოსანი", "წიგნი", "ᲬᲘᲒᲜᲘ"],
    "ethiopic": ["ፍቅር", "እስከ", "መቃብር"],
    "other": ["①②", "ＡＢＣ", "x²", "👩‍🚀", "日記2", "№5", "a\u0301b", "q\u0308\u0323z"],
}
FORMS = [
    lambda text: text, lambda text: text, lambda text: unicodedata.normalize("NFC", text), lambda text: unicodedata.normalize("NFD", text),
    str.upper, str.lower,
]


def written(random, text):
    return random.choice(FORMS)(text)


def phrase(random, script=None, most=3):
    script = script or random.choice(list(SCRIPTS))
    words = [written(random, random.choice(SCRIPTS[script])) for _ in range(random.randint(1, most))]
    if random.random() < 0.2:
        words.append(random.choice(SCRIPTS["latin"]))
    return random.choice([" ", " ", " ", ", ", "-", " – "]).join(words)


def query(random, script):
    """Returns a word as a person might type it: in another form, or only its beginning."""
    word = written(random, random.choice(SCRIPTS[script]))
    if random.random() < 0.4:
        word = word[: random.randint(1, len(word))]
    if random.random() < 0.15:
        word = random.choice(SCRIPTS[script]) + " " + word
    return word
