// Frames of its peers, changed at random: no throw, no hang, no growth.
import { testMutations } from '../../../test/mutations/suite.ts'
import { mutations } from './testing/mutations.ts'

testMutations(mutations)
