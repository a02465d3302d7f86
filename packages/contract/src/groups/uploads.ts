// 4.8: a site for the decoy web server, and files for the decoy file share, as one zip each.
import Type from 'typebox'
import { count, flag, node_id, oneOf, text, withDefault } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const Job = Type.Object({
  result: Type.Optional(
    oneOf(['success', 'progress'], { description: 'progress while there is a job, else success' }),
  ),
  type: Type.Union(
    [oneOf(['RequestStart', 'Start', 'RequestEnd', 'RequestCancel', 'End'], {}), Type.Null()],
    {
      description:
        'RequestStart until the Bird is ready, then Start; RequestEnd or RequestCancel until it has ended, then for ten minutes End; null without a job',
    },
  ),
  job_id: Type.Optional(Type.String({ description: 'Id of the job, 32 hex digits' })),
  password: Type.Optional(
    Type.String({ description: 'Of the user `upload`, for the URL; empty once the job has ended' }),
  ),
  pid: Type.Optional(Type.Integer({ description: 'The process of the Bird; 0 until the Bird is ready' })),
  url: Type.Optional(
    Type.String({ description: 'Extension: takes the zip, as PUT or as a form with one file' }),
  ),
  size: Type.Optional({ ...count, description: 'Extension: bytes of the zip; 0 until it is there' }),
  bytes_copied: Type.Optional({ ...count, description: 'Extension: how many of them the Bird has' }),
  outcome: Type.Optional(
    oneOf(['', 'applied', 'failed'], { description: 'Extension: what became of it; empty until the end' }),
  ),
  reason: Type.Optional({ ...text, description: 'Extension: why it failed or is cancelled; else empty' }),
})

const example = { node_id: '{connected_node_id}' }

export const uploads = group(
  'Uploads to Birds',
  'Bring a site for the decoy web server, or files for the decoy file share, to a Bird: start a job, send a zip to its URL, and follow it.',
  {
    webrootStatus: get(
      '/webrootupload/status',
      'admin',
      'flock',
      'Read how the upload of a site goes',
      { node_id },
      Job,
      { example },
    ),
    webrootStart: post(
      '/webrootupload/start',
      'admin',
      'flock',
      'Begin the upload of a site for the decoy web server; a whole zip is applied by itself',
      { node_id },
      Job,
      { example },
    ),
    webrootEnd: post(
      '/webrootupload/end',
      'admin',
      'flock',
      'Cancel the upload of a site; without one it changes nothing',
      { node_id },
      Job,
      { example },
    ),
    shareStatus: get(
      '/shareupload/status',
      'admin',
      'flock',
      'Read how the upload of files for the share goes',
      { node_id },
      Job,
      { example },
    ),
    shareStart: post(
      '/shareupload/start',
      'admin',
      'flock',
      'Begin the upload of files for the decoy file share of a Bird, as one zip',
      { node_id },
      Job,
      { example },
    ),
    shareEnd: post(
      '/shareupload/end',
      'admin',
      'flock',
      'End the upload of files: they take the place of the share',
      {
        node_id,
        cancel: withDefault({ ...flag, description: 'Discards the files; the share stays as it is' }, false),
      },
      Job,
      { example: { ...example, cancel: true } },
    ),
  },
)
