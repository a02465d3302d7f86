// 4.12: one note for each Flock.
import Type from 'typebox'
import { flock_id, note } from '../fields.ts'
import { del, group, Nothing, post } from '../operation.ts'
import { readFlock, theDefault } from '../switches.ts'

export const flockNotes = group('Flock notes', 'One note for each Flock: free text.', {
  read: readFlock('/flock/note', 'Read the note of a Flock', Type.Object({ note })),
  add: post('/flock/note/add', 'admin', 'flock', 'Set the note of a Flock', { flock_id, note }, Nothing, {
    example: { ...theDefault, note: 'Server room, third floor' },
  }),
  remove: del('/flock/note/delete', 'admin', 'flock', 'Delete the note of a Flock', { flock_id }, Nothing, {
    example: theDefault,
  }),
})
