// Sentences of an office, of any length and without a secret.
import type { Draw } from '../../../../../machine/draw.ts'

const SUBJECTS = [
  'The team',
  'Our supplier',
  'The finance department',
  'Operations',
  'The project office',
  'The customer',
  'Human resources',
  'The auditor',
  'Facilities',
  'The board',
]
const VERBS = [
  'has confirmed',
  'will review',
  'asks for',
  'has approved',
  'expects',
  'needs',
  'has moved',
  'will send',
  'rejected',
  'has updated',
]
const OBJECTS = [
  'the revised budget',
  'the delivery schedule',
  'the service contract',
  'the quarterly figures',
  'the list of open items',
  'the staffing plan',
  'the invoice',
  'the maintenance window',
  'the new price list',
  'the minutes of the meeting',
]
const ENDS = [
  'before the end of the month',
  'for the coming quarter',
  'after the meeting on Thursday',
  'without further changes',
  'as agreed by phone',
  'until further notice',
  'in line with the policy',
  'with two exceptions',
  'for all locations',
  'once the numbers are final',
]

export const sentence = ({ pick }: Draw): string =>
  `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)} ${pick(ENDS)}.`

export const paragraph = (from: Draw): string =>
  Array.from({ length: from.between(2, 5) }, () => sentence(from)).join(' ')

export const paragraphs = (from: Draw, count: number): string[] =>
  Array.from({ length: count }, () => paragraph(from))
