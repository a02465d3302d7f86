// The sentences of the overview and of administration.
import { count } from '../../words/en.ts'

const of = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

export const houseWords = {
  range: { 1: '24 hours', 7: '7 days', 30: '30 days' },
  overview: {
    title: 'Overview',
    quiet: 'All quiet.',
    busy: (open: number) => `${of(open, 'incident')} open, used or tried.`,
    watching: (live: number, birds: number, tokens: number) =>
      `${count(live)} of ${of(birds, 'Bird')} and ${of(tokens, 'token')} are watching.`,
    flocks: 'Flocks',
    birds: (live: number, birds: number) => `${count(live)} of ${of(birds, 'Bird')} live`,
    tokens: (n: number) => of(n, 'token'),
    noneOpen: 'Nothing open',
    time: 'Incidents over time',
    sum: (n: number) => `Incidents over time: ${of(n, 'incident')}`,
    highest: (n: number) => `at most ${count(n)} a column`,
    how: 'Choose a column, or drag over several, to see their incidents.',
    asTable: 'Show as table',
    columns: ['From', 'Used', 'Tried', 'Looked', 'House'],
    health: 'Health',
    well: 'Nothing to do.',
    offline: (n: number) => `${of(n, 'Bird is', 'Birds are')} offline.`,
    settings: (n: number) => `${of(n, 'Bird has', 'Birds have')} settings that failed.`,
    receiver: (host: string, reason: string) => `A receiver fails: ${host}. ${reason}`,
    nobody: 'Incidents of this Flock reach nobody:',
    channel: (name: string, why: string) => `Tokens of the channel ${name} are silent. ${why}`,
    found: (about: string, text: string) => `${about === 'disk' ? 'Disk' : 'Certificate'}: ${text}`,
    report: 'Report of last month',
  },
  report: {
    title: 'Report',
    from: 'From',
    to: 'to',
    fromDay: 'From',
    toDay: 'To',
    order: 'The end must lie behind the beginning.',
    show: 'Show',
    print: 'Print',
    back: 'Back to the last days',
    incidents: (n: number) => `${of(n, 'incident')} by level and verdict`,
    verdict: 'Verdict',
    sum: 'Sum',
    verdicts: [
      ['open', 'Not acknowledged'],
      ['intruder', 'A real intruder'],
      ['test', 'A test'],
      ['harmless', 'Harmless'],
      ['none', 'No verdict'],
    ],
    acknowledged: 'Time to acknowledge',
    noneAcknowledged: 'None of them is acknowledged.',
    median: 'Half within',
    p95: '95 of 100 within',
    known: 'Acknowledged',
    gaps: 'Gaps in watching',
    noGaps: 'No Bird was silent.',
    gapsSum: (shown: number, total: number) =>
      shown === total
        ? `Birds were silent ${of(total, 'time')}.`
        : `Birds were silent ${of(total, 'time')}; the longest ${count(shown)} are listed.`,
    gapColumns: ['Bird', 'From', 'To', 'Length'],
    stillSilent: 'Still silent',
  },
  audit: {
    title: 'Audit trail',
    nav: 'Audit trail',
    filter: 'Filter',
    filterHint: 'Action, person, address, Flock',
    time: 'Time',
    always: 'Always',
    export: 'Export',
    verify: 'Verify',
    whole: (rows: number) =>
      `The trail is whole: ${of(rows, 'row')}, each follows the one before. It ends at`,
    broken: ({ failure, rows }: { readonly failure: string; readonly rows: number }) =>
      `The trail was changed from outside: ${failure}. It is sound up to row ${count(rows)}:`,
    empty: 'No change matches.',
    columns: ['Time', 'Who', 'From', 'What', 'Flock'],
    more: 'Show older changes',
  },
}
