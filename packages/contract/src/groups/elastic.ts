// Extension: data streams of Elasticsearch and OpenSearch that take the alerts of a Flock.
import Type from 'typebox'
import { secret, withDefault } from '../fields.ts'
import { group } from '../operation.ts'
import { Elastic } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const elastic = group(
  'Elastic',
  'Data streams of Elasticsearch that index the alerts of a Flock as documents of the Elastic Common Schema: each alert is one document, and none is folded into a digest.',
  receiversById({
    kind: 'elastic',
    one: 'a data stream of Elasticsearch',
    many: 'the data streams of Elasticsearch',
    params: {
      url: Type.String({
        description: 'Address of the cluster, such as https://elastic.example.com:9200',
        maxLength: 2048,
      }),
      api_key: secret(
        Type.String({
          description:
            'API key of the cluster, as it shows it encoded; it needs the privilege create_doc on the data stream',
          maxLength: 512,
        }),
      ),
      data_stream: withDefault(
        Type.String({ description: 'Name of the data stream', maxLength: 255 }),
        'logs-rookery.alert-default',
      ),
    },
    answer: Type.Object({
      elastic: Type.Array(Elastic, { description: 'The data streams, by age' }),
    }),
    example: {
      url: 'https://elastic.example.com:9200',
      api_key: 'VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6dWkybHAyYXhUTm1z',
    },
  }),
)
