// The sentences of the page of a source.
import { count } from '../../words/en.ts'

const of = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

export const sourceWords = {
  title: (address: string) => `Source ${address}`,
  none: 'Nothing of this address is stored, or it touched nothing that you may see.',
  noAddress: 'This is no IP address, so no source has it.',
  deleted: (n: number, isAll: boolean) =>
    `${of(n, 'incident')}${isAll ? '' : ' of its newest 1,000'} ${n === 1 ? 'is' : 'are'} deleted, and not listed.`,
  sum: (total: number, open: number) => `${of(total, 'incident')}, ${count(open)} open.`,
  first: 'First touch',
  last: 'last',
  name: 'It is also known as',
  noneOpen: 'Nothing of this source is open.',
  copy: 'Copy as text',
  copied: (shown: number, total: number) =>
    shown === total
      ? `Copied ${of(total, 'incident')}.`
      : `Copied the newest ${count(shown)} of ${of(total, 'incident')}.`,
  notCopied: 'This browser did not let the page copy the text.',
  inbox: 'Show in the inbox',
  did: 'What it did',
  columns: ['Level', 'What', 'Place', 'Count', 'First', 'State'],
  more: 'Show older incidents',
  tried: 'Credentials tried',
  triedOf: 'Of the newest event of each incident that is listed.',
  noneTried: 'None in the incidents that are listed.',
  ports: 'Ports',
  noPorts: 'No port was touched.',
  places: 'Places',
  port: (port: number) => `port ${port}`,
  open: 'open',
  acknowledged: 'acknowledged',
  shared:
    'Incidents of many sources, to which this one belongs, stay open: each is acknowledged on its own page.',
} as const
