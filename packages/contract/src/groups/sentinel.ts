// Extension: workspaces of Microsoft Sentinel that take the alerts of a Flock.
import Type from 'typebox'
import { secret } from '../fields.ts'
import { group } from '../operation.ts'
import { Sentinel } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const sentinel = group(
  'Sentinel',
  'Workspaces of Microsoft Sentinel that take the alerts of a Flock as rows of a table, by the logs ingestion API: each alert is one row, and none is folded into a digest.',
  receiversById({
    kind: 'sentinel',
    one: 'a workspace of Microsoft Sentinel',
    many: 'the workspaces of Microsoft Sentinel',
    params: {
      endpoint: Type.String({
        description:
          'Address of logs ingestion, of the data collection rule or its endpoint, such as https://rookery-a1b2.westeurope-1.ingest.monitor.azure.com',
        maxLength: 2048,
      }),
      rule_id: Type.String({
        description: 'Immutable id of the data collection rule: dcr- and 32 hexadecimal digits',
        maxLength: 64,
      }),
      stream: Type.String({
        description: 'Stream of the rule that takes the rows, such as Custom-Rookery_CL',
        maxLength: 128,
      }),
      tenant: Type.String({ description: 'Id or domain of the tenant', maxLength: 253 }),
      client_id: Type.String({ description: 'Id of the application (client)', maxLength: 64 }),
      client_secret: secret(
        Type.String({
          description:
            'Value of a secret of the application, which needs the role Monitoring Metrics Publisher on the rule',
          maxLength: 512,
        }),
      ),
    },
    answer: Type.Object({
      sentinel: Type.Array(Sentinel, { description: 'The workspaces, by age' }),
    }),
    example: {
      endpoint: 'https://rookery-a1b2.westeurope-1.ingest.monitor.azure.com',
      rule_id: 'dcr-000a00a000a00000a000000aa000a0aa',
      stream: 'Custom-Rookery_CL',
      tenant: 'example.onmicrosoft.com',
      client_id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
      client_secret: 'abC8Q~exampleOfASecretOfAnApplication123',
    },
  }),
)
