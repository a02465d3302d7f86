// Extension: which incidents a receiver of alerts is notified of, as parameters and in answers.
import Type from 'typebox'

/** Of every operation that adds a receiver of incidents. */
export const Attention = {
  levels: Type.Optional(
    Type.String({
      description:
        'Extension: levels of the incidents that it is notified of, separated by commas: used, tried, looked, house; default all',
      maxLength: 64,
    }),
  ),
  quiet_hours: Type.Optional(
    Type.String({
      description:
        'Extension: time of each day in which it is not notified of incidents of level looked, such as 22:00-06:00 Europe/Berlin; what is held back stays in the inbox and is not sent later',
      maxLength: 80,
    }),
  ),
}

/** Of every list of receivers. */
export const AttentionFields = {
  levels: Type.Optional(
    Type.String({
      description: 'Extension: levels of the incidents that it is notified of, separated by commas',
    }),
  ),
  quiet_hours: Type.Optional(
    Type.String({
      description:
        'Extension: time of each day in which it is not notified of incidents of level looked; empty for none',
    }),
  ),
}
