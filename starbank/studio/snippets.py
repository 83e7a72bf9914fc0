"""Requests to begin with; each finds something in many treebanks."""

SNIPPETS = (
    ("Verbs and their subjects", "pattern { V [upos=VERB]; V -[nsubj]-> S }"),
    ("Subjects after the verb", "pattern { V [upos=VERB]; V -[nsubj]-> S; V << S }"),
    (
        "Verbs with an object and without a subject",
        "pattern { V [upos=VERB]; V -[obj]-> O }\nwithout { V -[1=nsubj]-> S }",
    ),
    ("Subject and verb agree in number", "pattern { V [upos=VERB]; V -[nsubj]-> S; V.Number = S.Number }"),
    ("Subject and verb do not", "pattern { V [upos=VERB]; V -[nsubj]-> S; V.Number <> S.Number }"),
    ("Words with a case, counted by it", "pattern { N [upos=NOUN, Case] }"),
    ("Adjectives beside their nouns", "pattern { N [upos=NOUN]; N -[amod]-> A }"),
    ("Relative clauses", "pattern { N -[1=acl, 2=relcl]-> V }"),
    ("Nouns between a subject and its verb", "pattern { V -[nsubj]-> S; N [upos=NOUN]; S << N; N << V }"),
    ("Words by their ending", 'pattern { X [form=re".*s", upos=NOUN] }'),
    ("Questions", 'global { text = re".*\\?" }\npattern { Q [PronType=Int] }'),
    ("Enhanced edges", "pattern { e: V -[1=nsubj, enhanced=yes]-> S }"),
)
