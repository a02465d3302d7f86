// Frames of its peers, changed at random: no throw, no hang, no growth.
import { testMutations } from '../../test/mutations/suite.ts'
import { mutations } from './mutations.ts'

testMutations(mutations)
