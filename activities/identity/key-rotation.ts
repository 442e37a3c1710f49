import type { Settings } from '../../schemas/settings.ts'
import { loadSigningKey } from '../common/document-signing.ts'
import type { RecordDeps } from '../database/database.ts'
import { createKeyPem, replaceKeyFile } from './key-files.ts'
import { endTokenKeys, insertCurrentKey, type KeyPurpose, type KeyRecord, listKeyRecords, lockKeyRecords } from './key-records.ts'
import { announceRevocation, EVERY_SUBJECT } from './records.ts'
import { keySettings } from './signing-keys.ts'

/** A done rotation: the new key, the one that it retired, and the ids of token keys that it ended. */
export interface Rotation {
  record: KeyRecord
  retired: KeyRecord | undefined
  ended: string[]
}

type RotationDeps = RecordDeps & { settings: Parameters<typeof keySettings>[0] & Pick<Settings, 'JWT_ALGORITHM'> }

/** Why the key of these settings cannot rotate; null when it can. */
const findObstacle = ({ JWT_ALGORITHM, ...settings }: RotationDeps['settings'], purpose: KeyPurpose): string | null => {
  const { name, path, fingerprint } = keySettings(settings, purpose)
  if (purpose === 'jwt' && JWT_ALGORITHM === 'HS256') return 'tokens are signed with JWT_SECRETS: put a new secret in front and restart'
  if (path === undefined)
    return `${name}_FILE is not set; a key that is given as text (${name}) is replaced in the settings, with a restart`
  if (fingerprint !== undefined)
    return `${name}_FINGERPRINT pins the key: remove it and restart, or replace file and pin together and restart`
  return null
}

/**
 * Writes a new key over the key file of a purpose and records it, which retires the key before it. `retireNow` ends every older token key.
 * Returns why it changed nothing where the settings forbid it.
 */
export const rotateKey = async (
  { database, clock, settings }: RotationDeps,
  purpose: KeyPurpose,
  { retireNow }: { retireNow: boolean },
): Promise<Rotation | string> => {
  const obstacle = findObstacle(settings, purpose)
  if (obstacle !== null) return obstacle
  const { path = '' } = keySettings(settings, purpose)
  const pem = createKeyPem()
  const key = await loadSigningKey(pem, 'new')
  return database.transaction(async (rows) => {
    await lockKeyRecords(rows)
    const record = await insertCurrentKey(rows, purpose, key, clock)
    const ended = retireNow ? await endTokenKeys(rows, record.validFrom) : []
    if (ended.length > 0) await announceRevocation(rows, EVERY_SUBJECT)
    const retired = (await listKeyRecords(rows, purpose)).findLast(({ retiredAt }) => retiredAt !== null)
    // Last: a process that reads the new file waits for this transaction, and finds the key recorded.
    await replaceKeyFile(path, pem)
    return { record, retired, ended }
  })
}

/** Ends one retired token key: its tokens are refused from now on. False for a key that is current, unknown or ended. */
export const retireTokenKey = ({ database, clock }: RecordDeps, kid: string): Promise<boolean> =>
  database.transaction(async (rows) => {
    const ended = await endTokenKeys(rows, clock.now(), kid)
    if (ended.length > 0) await announceRevocation(rows, EVERY_SUBJECT)
    return ended.length > 0
  })
