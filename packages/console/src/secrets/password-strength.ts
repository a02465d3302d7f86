// Whether a password is easy to guess: zxcvbn with its lists of leaked passwords, and words that are likely here.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** From 0 to 4: `3` takes more than 10⁸ guesses, also of an attacker who knows the words of this console. */
const MIN_SCORE = 3

/** The work grows with the square of the length: more characters than these are not looked at. */
const JUDGED_CHARACTERS = 40

/** Words that an attacker of a console tries first (listed in SECURITY.md). */
const CONTEXT_WORDS = ['rookery', 'console', 'bird', 'flock', 'decoy', 'honeypot', 'admin']

const ADVICE = 'use four or more unrelated words, or 16 random characters'

/** What zxcvbn calls its warnings and suggestions. */
const REASONS = byWord<string>({
  straightRow: 'it is a row of keys',
  keyPattern: 'it is a pattern of keys',
  simpleRepeat: 'it repeats one character',
  extendedRepeat: 'it repeats one text',
  sequences: 'it is a sequence, such as abc or 6543',
  recentYears: 'it contains a recent year',
  dates: 'it contains a date',
  topTen: 'it is one of the ten most common passwords',
  topHundred: 'it is one of the hundred most common passwords',
  common: 'it is a common password',
  similarToCommon: 'it is much like a common password',
  userInputs: "it is much like the user's own address, or a word that names a console",
})
const SUGGESTIONS = byWord<string>({
  l33t: 'a digit or sign instead of a letter helps little',
  reverseWords: 'a word written backwards helps little',
  allUppercase: 'capitals throughout help little',
  capitalization: 'a capital at the beginning helps little',
})

/** Why the password is easy to guess and what would be better; undefined for a good one. `email` is its user's. */
export async function findWeakness(password: string, email: string): Promise<string | undefined> {
  const { score, feedback } = (await openJudge()).check(password, wordsOf(email))
  if (score >= MIN_SCORE) return undefined
  const reason = REASONS[feedback.warning ?? ''] ?? 'it takes few guesses'
  const hints = feedback.suggestions.flatMap((name) => SUGGESTIONS[name] ?? [])
  return `must be harder to guess: ${[reason, ...hints, ADVICE].join('; ')}`
}

/** The address, also without its top-level domain, its parts, and the words of this console. */
const wordsOf = (email: string): string[] => [
  email,
  email.replace(/\.[^.@]*$/, ''),
  ...email.split('@'),
  ...email.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2),
  ...CONTEXT_WORDS,
]

/** The ranked lists take 20 MB, and 0.1 s to make: they may go between two passwords. */
let judge: WeakRef<ZxcvbnFactory> | undefined

async function openJudge(): Promise<ZxcvbnFactory> {
  const kept = judge?.deref()
  if (kept) return kept
  const { makeJudge } = await import('./password-judge.ts')
  const made = makeJudge(JUDGED_CHARACTERS)
  judge = new WeakRef(made)
  return made
}
