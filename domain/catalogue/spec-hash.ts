import { type Hex, keccakOf } from '../common/hashes.ts'
import { chainJobId } from '../common/ids.ts'

/**
 * Hash of a definition, the `specHash` of its job. The id of a posted job follows from this hash, so its definition is hashed without the id.
 * Source: money, "External posting".
 */
export const specHashOf = (definition: object): Hex => {
  const { id, ...content } = definition as { id?: unknown }
  return keccakOf(typeof id === 'string' && chainJobId(id) === id ? content : definition)
}
