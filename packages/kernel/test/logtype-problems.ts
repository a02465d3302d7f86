// What is missing or wrong in a logtype descriptor. The tests of every package that declares some call it.
import { LEVELS, type LogtypeDescriptor } from '../src/logtype.ts'

const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!]) /)
const isSentence = (text: string): boolean => /^[A-Z].*[.]$/.test(text)
const MAX_WORDS = 25

/** Empty when the descriptor says everything that people need. */
export function logtypeProblems(descriptor: LogtypeDescriptor): string[] {
  const { logtype, summary, slug, keys, level, evidence, meaning, next } = descriptor
  const texts = [...sentencesOf(meaning), ...next]
  const checks: [string, boolean][] = [
    ['the logtype is a number', /^\d+$/.test(logtype)],
    ['it has a summary', summary.trim().length > 0],
    ['the slug is lower-case letters', /^[a-z]+$/.test(slug)],
    ['the level is one of the four', LEVELS.includes(level)],
    ['it has evidence if its events have keys', evidence.length > 0 || keys.length === 0],
    ['every key of the evidence is a key of the event', evidence.every((key) => keys.includes(key))],
    ['no key stands in the evidence twice', new Set(evidence).size === evidence.length],
    ['the meaning is one sentence', sentencesOf(meaning).length === 1],
    ['there are one to three next steps', next.length >= 1 && next.length <= 3],
    ['each step is one sentence', next.every((step) => sentencesOf(step).length === 1)],
    ['every sentence begins with a capital and ends with a full stop', texts.every(isSentence)],
    [`no sentence has over ${MAX_WORDS} words`, texts.every((it) => it.split(' ').length <= MAX_WORDS)],
  ]
  return checks.flatMap(([claim, holds]) => (holds ? [] : [`${logtype}: it is not true that ${claim}`]))
}
