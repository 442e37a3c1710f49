/** Half of the order of the curve. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Whether a signature of 65 bytes is the one form that its signer produces: `s` in the lower half, and a recovery id of 27 or 28. */
export const isCanonicalSignature = (signature: string): boolean => {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return false
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number.parseInt(signature.slice(130), 16)
  return s > 0n && s <= HALF_ORDER && (v === 27 || v === 28)
}
