// The ranked lists of passwords and names. A module of its own: it is loaded with the first password that is judged, and a
// bundle has the names of CommonJS packages only for imports that stand at the head of a module.
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** Judges so many characters of a password. */
export const makeJudge = (maxLength: number): ZxcvbnFactory =>
  new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength })
