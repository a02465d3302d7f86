// The sentences of the page of updates.
import { count } from '../../words/en.ts'

const of = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

export const updateWords = {
  title: 'Updates of Birds',
  releases: 'Releases',
  none: 'No release yet.',
  noneText: 'Sign a release, and add it on the machine of the console:',
  add: 'Add a release',
  release: 'Release',
  for: (sensors: readonly string[], versions: readonly string[]) =>
    `For ${sensors.join(', ')}, version ${versions.join(', ')}`,
  ignored: 'ignored: no Bird gets it',
  ignore: 'Ignore',
  unignore: 'Stop ignoring',
  automatic: 'Automatic run',
  automaticHelp:
    'Birds are updated by themselves: one that is connected, ten healthy minutes later a tenth, then all others. The first failure stops it.',
  stopped: (version: string) => `The automatic run has stopped: an update to ${version} failed.`,
  resume: 'Go on',
  resumed: 'The automatic run goes on.',
  birds: 'Birds',
  counted: (current: number, behind: number, version: string) =>
    `${of(current, 'Bird')} ${current === 1 ? 'runs' : 'run'} ${version}; ${of(behind, 'Bird')} ${behind === 1 ? 'runs' : 'run'} another version.`,
  chooseRelease: 'Update to',
  all: 'No Bird needs it.',
  columns: ['Select', 'Bird', 'Version', 'State', 'Update'] as const,
  update: (n: number) => `Update ${of(n, 'Bird')}`,
  updateOne: (name: string) => `Update ${name}`,
  verb: 'Update',
  noneSelected: 'Select Birds first.',
  fits: 'It can be updated.',
  fitsNot: 'It does not fit: Update says why.',
  updating: 'Its software is being updated.',
  more: 'Show more Birds',
}
