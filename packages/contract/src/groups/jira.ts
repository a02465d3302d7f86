// Extension: projects of Jira in which the alerts of a Flock are issues.
import Type from 'typebox'
import { flag, secret, withDefault } from '../fields.ts'
import { group } from '../operation.ts'
import { Jira } from '../records/webhooks.ts'
import { receiversById } from '../receivers-by-id.ts'

export const jira = group(
  'Jira',
  'Projects of Jira Cloud in which each incident of a Flock is an issue.',
  receiversById({
    kind: 'jira',
    one: 'a project of Jira',
    many: 'the projects of Jira',
    params: {
      url: Type.String({
        description: 'Address of the site, such as https://example.atlassian.net',
        maxLength: 2048,
      }),
      email: Type.String({ description: 'E-mail address of the account', maxLength: 254 }),
      token: secret(Type.String({ description: 'API token of the account', maxLength: 512 })),
      project: Type.String({ description: 'Key of the project, such as SEC', maxLength: 64 }),
      issue_type: withDefault(
        Type.String({ description: 'Name of the type of its issues', maxLength: 60 }),
        'Task',
      ),
      close_acknowledged: withDefault(
        { ...flag, description: 'Close the issue when the incident is acknowledged or deleted' },
        false,
      ),
    },
    answer: Type.Object({ jira: Type.Array(Jira, { description: 'The projects, by age' }) }),
    example: {
      url: 'https://example.atlassian.net',
      email: 'alerts@example.com',
      token: 'ATATT3xFfGF0example',
      project: 'SEC',
    },
  }),
)
