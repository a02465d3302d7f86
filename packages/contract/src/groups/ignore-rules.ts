// Extension: what an incident's touches can be ignored by, and adding such a line as one change that can be undone.
import Type from 'typebox'
import { count, flag, flock_id, forceWide, incident, lineList, oneOf } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

const LISTS = ['ip', 'hostname', 'src_port', 'annotation'] as const
const list = oneOf(LISTS, {
  description:
    'Which list: ip, addresses; hostname, host names; src_port, addresses whose port scans are ignored; annotation, known scanners',
})
const line = Type.String({
  maxLength: 1_000,
  description: 'A line as the list takes it, such as 192.0.2.7:22',
})
const was_there = Type.Boolean({ description: 'Whether the list had the line before' })
const was_on = Type.Boolean({ description: 'Whether the list was enabled before' })
const was_mode = oneOf(['global', 'on', 'off'], {
  description: 'Which list applied to the Flock before: global, that of the console; on, its own; off, none',
})
const was_inherits = Type.Boolean({
  description: 'Whether the list of the Flock had that of the console added before',
})

const Rule = Type.Object({
  covers: oneOf(['address-port', 'address-kind', 'address', 'port-scans', 'name', 'annotation'], {
    description:
      'What it ignores: the address on one port, in touches of one kind, in all touches, or in port scans; every address of a name; a known scanner',
  }),
  list,
  flock_id: Type.String({ description: 'Flock in which it applies; empty for every Flock' }),
  line: Type.String({ description: 'The line that is added to the list' }),
  matches: { ...count, description: 'Incidents of the last 30 days that it would have kept away' },
  enables: Type.Boolean({ description: 'Whether the list is off now, and is enabled with the line' }),
  idle_lines: {
    ...count,
    description: 'Lines that the list has already and that begin to apply when it is enabled',
  },
})

const ofFlock = { flock_id: 'flock:default', line: '192.0.2.7:22' }

export const ignoreRules = group(
  'Ignore rules',
  'What touches like those of an incident can be ignored by, and adding such a line: the line, the switches that it needs, and nothing else, as one change that can be undone.',
  {
    ofIncident: get(
      '/incident/ignore_rules',
      'read-only',
      'flock',
      'List what the touches of an incident can be ignored by, the narrowest first',
      { incident: Type.Optional(incident), hash_id: Type.Optional(Type.String({ maxLength: 64 })) },
      Type.Object({
        ignored_by: Type.String({
          description: 'The line that ignores the next such touch already; empty if none does',
        }),
        rules: Type.Array(Rule, {
          description: 'The rules; none where the incident has no single source',
        }),
      }),
      { example: { incident: '{incident}' } },
    ),
    check: post(
      '/ignore_rules/check',
      'admin',
      'everybody',
      'Find the lines that a list would refuse, at most 100; nothing is saved',
      {
        list,
        lines: { ...lineList, description: 'The lines; # starts a comment' },
        of_flock: Type.Optional({
          ...flag,
          description: 'Whether it is the list of a Flock, which takes :port',
        }),
      },
      Type.Object({
        wrong: Type.Array(
          Type.Object({
            number: Type.Integer({ minimum: 1, description: 'Number of the line, from 1' }),
            line: Type.String({ description: 'The line as it was given' }),
            reason: Type.String({ description: 'What is wrong with it' }),
            is_wide: Type.Boolean({ description: 'Whether it is taken with force' }),
          }),
          { description: 'The lines that are refused' },
        ),
      }),
      { changes: false, example: { list: 'ip', lines: '192.0.2.7\n192.0.2.7.8' } },
    ),
    addInFlock: post(
      '/flock/ignore_rule/add',
      'admin',
      'flock',
      'Add a line to the list of a Flock, enable it, and keep the list of the console',
      { flock_id, line, force: forceWide },
      Type.Object({ line, was_there, was_mode, was_inherits }),
      { settings: 'flock', example: ofFlock },
    ),
    undoInFlock: post(
      '/flock/ignore_rule/undo',
      'admin',
      'flock',
      'Undo what add did, by its answer; what changed since then stays as it is',
      { flock_id, line, was_there, was_mode, was_inherits },
      Nothing,
      {
        settings: 'flock',
        example: { ...ofFlock, was_there: false, was_mode: 'global', was_inherits: false },
      },
    ),
    add: post(
      '/settings/ignore_rule/add',
      'admin',
      'console',
      'Add a line to an ignore list of the console, and enable the list',
      { list, line, force: forceWide },
      Type.Object({ line, was_there, was_on }),
      { settings: 'console', example: { list: 'ip', line: '192.0.2.7' } },
    ),
    undo: post(
      '/settings/ignore_rule/undo',
      'admin',
      'console',
      'Undo what add did, by its answer; what changed since then stays as it is',
      { list, line, was_there, was_on },
      Nothing,
      {
        settings: 'console',
        example: { list: 'ip', line: '192.0.2.7', was_there: false, was_on: true },
      },
    ),
  },
)
