// Words that a reader stumbles over, and what to write instead: STYLE.md, "Names".

/**
 * Forms of a word in small letters → what to write instead. Names are looked at word by word: `isTold` says "told".
 * @type {readonly { forms: RegExp, instead: string }[]}
 */
export const BANNED_WORDS = [
  { forms: /^whoever$/, instead: 'name who it is: the caller, the operator, a client' },
  { forms: /^told$/, instead: 'say what is sent to whom: notified, reported, sent, given' },
  { forms: /^beside$/, instead: 'next to (a place), besides (in addition), or the name of the thing' },
  { forms: /^stumbl(e|es|ed|ing)$/, instead: 'failed' },
  { forms: /^kick(s|ed|ing)?$/, instead: 'wake, notify or start' },
  { forms: /^(hurry|hurries|hurried|hurrying)$/, instead: 'say what happens sooner, and when' },
]

/** A type is a noun. These end in -ing, and are nouns of the field or states of a protocol. */
export const NOUNS = /(?:^|[a-z])(?:Encoding|Finding|Meaning|Pending|Ring|Setting|Spelling|String|Warning)$/
