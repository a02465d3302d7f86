// 4.12: one note for each Flock.
import Type from 'typebox'
import { flock_id, note } from '../fields.ts'
import { del, get, group, Nothing, post } from '../operation.ts'

const example = { flock_id: 'flock:default' }

export const flockNotes = group('Flock notes', 'One note for each Flock: free text.', {
  read: get('/flock/note', 'read-only', 'Read the note of a Flock', { flock_id }, Type.Object({ note }), {
    example,
  }),
  add: post('/flock/note/add', 'admin', 'Set the note of a Flock', { flock_id, note }, Nothing, {
    example: { flock_id: 'flock:default', note: 'Server room, third floor' },
  }),
  remove: del('/flock/note/delete', 'admin', 'Delete the note of a Flock', { flock_id }, Nothing, {
    example,
  }),
})
