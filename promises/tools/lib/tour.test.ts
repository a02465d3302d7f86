import { expect, test } from 'vitest'
import { missingFrom, readTour } from './tour.ts'

const page = [
  '<!-- tour:begin. Real. -->',
  '```console',
  '$ npm start',
  '…',
  '$ curl -s \\',
  '    http://127.0.0.1/',
  '{ "id": 7 }',
  '```',
  '<!-- tour:end -->',
].join('\n')

test('a tour is the commands behind $, and the output below each', () => {
  expect(readTour(page)).toEqual([
    { command: 'npm start', shows: '…' },
    { command: 'curl -s \\\n    http://127.0.0.1/', shows: '{ "id": 7 }' },
  ])
})

test('numbers and ids may differ, words may not', () => {
  expect(missingFrom('{"id":"0123456789abcdef","n":12}', '{"id":"fedcba9876543210","n":7}')).toBeUndefined()
  expect(
    missingFrom("'msg_4bc38ebefe5d9dc72f82a2e67e94f9dd'", "'msg_d5a9a5683149fe47cf5209de5edc8347'"),
  ).toBeUndefined()
  expect(missingFrom('{"error":1}', '{"result":…}')).toBe('{"result":')
  expect(missingFrom('b a', 'a…b')).toBe('b')
})
