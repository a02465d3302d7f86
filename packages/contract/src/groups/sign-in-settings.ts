// Extension: what the console asks of people who sign in, and how long they stay.
import Type from 'typebox'
import { get, group, post } from '../operation.ts'

const settings = {
  second_factor_required: Type.Boolean({
    description: 'Whether everybody needs a second factor; who has none must add one before anything else',
  }),
  idle_minutes: Type.Integer({
    minimum: 5,
    maximum: 10_080,
    description: 'Minutes without a call after which a session ends',
  }),
  longest_hours: Type.Integer({
    minimum: 1,
    maximum: 720,
    description: 'Hours after which a session ends in any case',
  }),
}
const Settings = Type.Object(settings)

export const signInSettings = group(
  'Sign-in settings',
  'What the console asks of people who sign in, and how long they stay.',
  {
    read: get('/settings/sign_in', 'read-only', 'console', 'Read the settings of signing in', {}, Settings),
    change: post(
      '/settings/sign_in',
      'admin',
      'console',
      'Change the settings of signing in; what is not given stays as it is',
      {
        second_factor_required: Type.Optional(settings.second_factor_required),
        idle_minutes: Type.Optional(settings.idle_minutes),
        longest_hours: Type.Optional(settings.longest_hours),
      },
      Settings,
      { settings: 'console', stepUp: true, example: { idle_minutes: 720, longest_hours: 168 } },
    ),
  },
)
