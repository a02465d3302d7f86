// 4.13: images of a Bird's machine, and the disk that tells one where it belongs.
import Type from 'typebox'
import { count, oneOf, text, withDefault } from '../fields.ts'
import { get, group } from '../operation.ts'

const version = Type.String({ maxLength: 64, description: 'Release of the Bird in the image, such as 3.0.0' })
const expires_std = { ...text, description: 'Extension: when the link expires' }
const Download = Type.Object({
  link: { ...text, description: 'Where the image is: a link for an hour, that needs no key' },
  filename: { ...text, description: 'Extension: name of the file' },
  size: { ...count, description: 'Extension: bytes of the file' },
  expires_std,
})
const Seed = Type.Object({
  seedlink: {
    ...text,
    description:
      'Where the second disk is: a link for an hour, that needs no key. The disk brings one Bird into the default Flock, within a day',
  },
  expires_std,
})
const seeding = { changes: true, example: { version: '{image_version}' } }

export const images = group(
  'Images of Birds',
  'Machines for VMware and Hyper-V on which a Bird runs. `rookery image build` makes them, `rookery image add` puts them into the console.',
  {
    vmaDownload: get(
      '/vmadecoy/download',
      'read-only',
      'console',
      'Get a link to an image for VMware',
      {
        version,
        format: withDefault(
          oneOf(['vmx', 'ova'], { description: 'vmx: a zip with the machine and its disk; ova: one file' }),
          'vmx',
        ),
      },
      Download,
      { example: { version: '{image_version}', format: 'ova' } },
    ),
    vmaSeed: get(
      '/vmadecoy/downloadseed',
      'admin',
      'console',
      'Make a second disk for VMware, with the console and an enrolment code on it',
      { version },
      Seed,
      seeding,
    ),
    vmbDownload: get(
      '/vmbdecoy/download',
      'read-only',
      'console',
      'Get a link to an image for Hyper-V',
      { version, format: oneOf(['zip'], { description: 'A zip with the disk of the machine, a vhdx' }) },
      Download,
      { example: { version: '{image_version}', format: 'zip' } },
    ),
    vmbSeed: get(
      '/vmbdecoy/downloadseed',
      'admin',
      'console',
      'Make a second disk for Hyper-V, with the console and an enrolment code on it',
      { version },
      Seed,
      seeding,
    ),
  },
)
