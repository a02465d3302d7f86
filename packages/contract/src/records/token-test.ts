// One step of a self-test of a token.
import Type from 'typebox'
import { text } from '../fields.ts'

export const TokenTestStep = Type.Object({
  channel: Type.String({ description: 'Channel by which the token is met' }),
  step: Type.Union([Type.Literal('listener'), Type.Literal('touch'), Type.Literal('record')], {
    description:
      'listener: whether the console listens; touch: a touch was sent to where artefacts name it; record: the console has stored it',
  }),
  passed: Type.Boolean({ description: 'Whether the step went well' }),
  text: { ...text, description: 'What happened, or what is missing, in sentences' },
})
