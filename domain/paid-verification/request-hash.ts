import { type Hex, sha256Of } from '../common/hashes.ts'

/** What a buyer asks for: a profile, and the target and inputs that it is executed on. */
export interface VerificationRequest {
  readonly profile: string
  readonly profileVersion: number
  readonly target: object
  readonly inputs: object
}

/**
 * SHA-256 of the canonical JSON of `{inputs, profile, profileVersion, target}`, which a payment is bound to. Other members of the request do not
 * count. Source: specification, identity, "The payment gate".
 */
export const requestHash = ({ profile, profileVersion, target, inputs }: VerificationRequest): Hex =>
  sha256Of({ inputs, profile, profileVersion, target })
