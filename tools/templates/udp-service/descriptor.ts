import { describeService } from '@rookery/decoys/settings/descriptor.ts'

export const descriptor = describeService({
  service: 'some-name',
  title: 'Some name',
  transport: 'udp',
  // The longest answer to one question: a forged source must gain little by it.
  answerBytes: 512,
  example: '',
  scanLine: '',
  settings: {
    'some-name.enabled': { type: 'boolean', default: false, title: 'Some name answers' },
    'some-name.port': { type: 'port', default: 0, title: 'Port of Some name' },
  },
  logtypes: [],
})
