import { encodeAbiParameters, hashMessage, keccak256, parseAbiParameters } from 'viem/utils'
import { VESTING_ATTESTATION_SECONDS } from '../common/constants.ts'
import { type Hex, keccakOfText } from '../common/hashes.ts'

/** Statement of the credit pool's operator about a borrower's vested principal. The contract trusts `vestedRaw` as it is. */
export interface VestingAttestation {
  borrower: Hex
  loanId: Hex
  /** Pledged pool shares and amount of the loan, base units. */
  pledgeSharesRaw: bigint
  amountRaw: bigint
  vestedRaw: bigint
  /** Last second in which the loan can begin (epoch seconds). */
  validUntil: number
  /** `vestingAttestationNonces` of the borrower. */
  nonce: bigint
}

/** The credit pool that an attestation is for. */
export interface CreditPoolRef {
  chainId: number
  address: Hex
}

/** Type of an attestation as the contract names it. */
const VESTING_ATTESTATION_TYPE =
  'VestingAttestation(address borrower,bytes32 loanId,uint256 pledgeShares,uint256 amount,uint256 vestedRaw,uint64 validUntil,uint256 nonce,uint256 chainId,address creditPool)'

/** keccak256 of that type, the first word of the payload. */
export const VESTING_ATTESTATION_TYPEHASH: Hex = keccakOfText(VESTING_ATTESTATION_TYPE)

const PAYLOAD = parseAbiParameters('bytes32, address, bytes32, uint256, uint256, uint256, uint64, uint256, uint256, address')

/**
 * Payload of an attestation. It is signed as a personal message (EIP-191) over these 32 bytes; the contract has no EIP-712 domain. Source:
 * contracts, "Signed digests".
 */
export const attestationPayload = (attestation: VestingAttestation, pool: CreditPoolRef): Hex =>
  keccak256(
    encodeAbiParameters(PAYLOAD, [
      VESTING_ATTESTATION_TYPEHASH,
      attestation.borrower,
      attestation.loanId,
      attestation.pledgeSharesRaw,
      attestation.amountRaw,
      attestation.vestedRaw,
      BigInt(attestation.validUntil),
      attestation.nonce,
      BigInt(pool.chainId),
      pool.address,
    ]),
  )

/** Signed digest: what the view `vestingAttestationDigest` answers. It is already wrapped and is never wrapped again. */
export const attestationDigest = (attestation: VestingAttestation, pool: CreditPoolRef): Hex =>
  hashMessage({ raw: attestationPayload(attestation, pool) })

/** Last second of an attestation that is signed at the time of a block (epoch ms). */
export const attestationValidUntil = (blockTime: number): number => Math.floor(blockTime / 1000) + VESTING_ATTESTATION_SECONDS
