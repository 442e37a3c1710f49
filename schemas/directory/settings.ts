import { z } from 'zod'
import { json, parseJson } from '../common/setting-parsers.ts'
import { AddressInput } from '../operations/values.ts'
import { AgentRegistry } from './standards.ts'

export const settings = {
  /** JSON object: own wallet of the operator → {kind, evidence}. The directory names them, so that none counts as independent. */
  OPERATOR_IDENTITIES: json(z.strictObject({ kind: z.string().min(1).max(60), evidence: z.string().max(500).optional() }), AddressInput),
  /** JSON list of {agentId, agentRegistry}: entries of ERC-8004 identity registries that the domain confirms. */
  ERC8004_REGISTRATIONS: z
    .string()
    .default('[]')
    .transform(parseJson)
    .pipe(z.array(z.strictObject({ agentId: z.int().min(0), agentRegistry: AgentRegistry }))),
}
