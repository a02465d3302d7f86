import { describeService } from '@rookery/decoys/settings/descriptor.ts'

export const descriptor = describeService({
  service: 'some-name',
  title: 'Some name',
  transport: 'tcp',
  example: '',
  scanLine: '',
  settings: {
    'some-name.enabled': { type: 'boolean', default: false, title: 'Some name answers' },
    'some-name.port': { type: 'port', default: 0, title: 'Port of Some name' },
  },
  logtypes: [],
})
