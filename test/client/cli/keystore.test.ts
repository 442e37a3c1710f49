import { scryptSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { EXIT } from '../../../client/cli/failures.ts'
import { checksumAddress, findAddress, keccak } from '../../../client/cli/key/address.ts'
import { STANDARD_COST } from '../../../client/cli/key/encryption.ts'
import { createKeyFile, readKeyFile } from '../../../client/cli/key/key-file.ts'
import { readKeystore, writeKeystore } from '../../../client/cli/key/keystore.ts'
import { getPassphrase } from '../../../client/cli/key/passphrase.ts'
import { ensurePrivateDirectory, replacePrivate } from '../../../client/cli/state/files.ts'

/** The two vectors of the definition of the format ("Web3 Secret Storage"), which geth tests itself with. */
const SECRET = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSPHRASE = 'testpassword'
const PBKDF2 = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
  ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
  kdf: 'pbkdf2',
  kdfparams: { c: 262144, dklen: 32, prf: 'hmac-sha256', salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd' },
  mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
}
const SCRYPT = {
  cipher: 'aes-128-ctr',
  cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
  ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
  kdf: 'scrypt',
  kdfparams: { dklen: 32, n: 262144, p: 8, r: 1, salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19' },
  mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
}
const file = (crypto: object, more: object = {}): string =>
  JSON.stringify({ crypto, id: '3198bc9c-6672-5ab3-d995-4942343ae5b6', version: 3, ...more })

const LIGHT = { n: 4096, r: 8, p: 1 }
const DIRECTORY = mkdtempSync(join(tmpdir(), 'keystore-'))
afterAll(() => rmSync(DIRECTORY, { recursive: true }))
const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/^0x/, ''), 'hex')

describe('a keystore file', () => {
  test.each([
    ['pbkdf2', PBKDF2],
    ['scrypt', SCRYPT],
  ])('of geth with %s opens', async (_, crypto) => {
    expect((await readKeystore(file(crypto))(PASSPHRASE)).toString('hex')).toBe(SECRET)
  })

  test('opens with the passphrase it was written with, also one outside ASCII, and names the address of the key', async () => {
    const key = generatePrivateKey()
    const passphrase = 'pass phräse 鍵 '
    const text = await writeKeystore(bytes(key), passphrase, LIGHT)
    expect(`0x${JSON.parse(text).address}`).toBe(privateKeyToAddress(key).toLowerCase())
    expect(`0x${(await readKeystore(text)(passphrase)).toString('hex')}`).toBe(key)
  })

  test('does not open with another passphrase, and the refusal does not repeat it', async () => {
    const decrypt = readKeystore(await writeKeystore(bytes(generatePrivateKey()), 'the right one', LIGHT))
    const failure = await decrypt('a wrong one').catch((error: unknown) => error)
    expect(failure).toMatchObject({ exit: EXIT.key, message: expect.stringMatching(/does not open the keystore file/) })
  })

  const [GIVEN, DECOMPOSED, COMPATIBLE] = ['p\u00e4ss \uFB01ne', 'pa\u0308ss \uFB01ne', 'p\u00e4ss fine']

  test.each([
    ['NFC, the form of a new key', GIVEN, [GIVEN, DECOMPOSED], [COMPATIBLE]],
    ['NFD, which a new key has in NFC', DECOMPOSED, [GIVEN, DECOMPOSED], [COMPATIBLE]],
    ['NFKC', COMPATIBLE, [GIVEN, DECOMPOSED, COMPATIBLE], ['pass fine']],
  ])('written with a passphrase in %s opens with the other forms', async (_, passphrase, opening, others) => {
    const key = generatePrivateKey()
    const decrypt = readKeystore(await writeKeystore(bytes(key), passphrase, LIGHT))
    for (const given of opening) expect(`0x${(await decrypt(given)).toString('hex')}`).toBe(key)
    for (const given of others) await expect(decrypt(given)).rejects.toMatchObject({ exit: EXIT.key })
  })

  test('written with a passphrase as it is given, as geth does, opens with that passphrase', async () => {
    // The passphrase of this file is in the form NFD.
    const salt = Buffer.from(SCRYPT.kdfparams.salt, 'hex')
    const derived = scryptSync(DECOMPOSED, salt, 32, { N: 4096, r: 8, p: 1 })
    const mac = keccak(Buffer.concat([derived.subarray(16, 32), bytes(SCRYPT.ciphertext)])).toString('hex')
    const crypto = { ...SCRYPT, mac, kdfparams: { ...SCRYPT.kdfparams, n: 4096, r: 8, p: 1 } }
    await expect(readKeystore(file(crypto))(DECOMPOSED)).resolves.toHaveLength(32)
    await expect(readKeystore(file(crypto))(GIVEN)).rejects.toMatchObject({ exit: EXIT.key })
  })

  test('written by default has the cost of geth', () => {
    expect(STANDARD_COST).toEqual({ n: 262_144, r: 8, p: 1 })
  })

  test('whose address is not that of its key does not open', async () => {
    await expect(readKeystore(file(PBKDF2, { address: '00'.repeat(20) }))(PASSPHRASE)).rejects.toThrow('its address is not that of its key')
  })

  test.each([0, 0xff])('is not written for bytes that are no key of the curve: all %s', async (byte) => {
    await expect(writeKeystore(Buffer.alloc(32, byte), 'one', LIGHT)).rejects.toThrow('not a key of this curve')
  })

  const scrypt = (changes: object) => file({ ...SCRYPT, kdfparams: { ...SCRYPT.kdfparams, ...changes } })
  const pbkdf2 = (changes: object) => file({ ...PBKDF2, kdfparams: { ...PBKDF2.kdfparams, ...changes } })

  test.each([
    ['n of 2^30', scrypt({ n: 2 ** 30 }), 'MiB'],
    ['n of 2^40', scrypt({ n: 2 ** 40 }), 'n is'],
    ['n that is no power of two', scrypt({ n: 262_143 }), 'power of two'],
    ['n of one', scrypt({ n: 1 }), 'power of two'],
    ['n of zero', scrypt({ n: 0 }), 'whole number above zero'],
    ['a negative n', scrypt({ n: -2 }), 'whole number above zero'],
    ['n as text', scrypt({ n: '262144' }), 'whole number above zero'],
    ['a fraction as r', scrypt({ r: 1.5 }), 'whole number above zero'],
    ['a huge r', scrypt({ n: 2, r: 2 ** 30 }), 'r is'],
    ['a large r', scrypt({ r: 2 ** 12 }), 'MiB'],
    ['a huge p', scrypt({ p: 2 ** 19 }), 'more work'],
    ['p beyond all bounds', scrypt({ p: 2 ** 50 }), 'p is'],
    ['a thousand million rounds', pbkdf2({ c: 1e9 }), 'c is'],
    ['no rounds', pbkdf2({ c: 0 }), 'whole number above zero'],
    ['another dklen', scrypt({ dklen: 64 }), 'dklen'],
    ['another prf', pbkdf2({ prf: 'hmac-sha512' }), 'prf'],
    ['a salt that is no hex', scrypt({ salt: 'zz' }), 'salt'],
    ['a salt of a megabyte', scrypt({ salt: 'ab'.repeat(1024 * 1024) }), 'salt is too long'],
    ['another kdf', file({ ...SCRYPT, kdf: 'argon2id' }), 'kdf'],
    ['another cipher', file({ ...SCRYPT, cipher: 'aes-256-gcm' }), 'cipher'],
    ['a short iv', file({ ...SCRYPT, cipherparams: { iv: '00' } }), 'iv has 1 bytes, not 16'],
    ['a short ciphertext', file({ ...SCRYPT, ciphertext: 'abcd' }), 'ciphertext'],
    ['a short mac', file({ ...SCRYPT, mac: 'abcd' }), 'mac'],
    ['no mac', file({ ...SCRYPT, mac: undefined }), 'mac'],
    ['version 1', file(SCRYPT, { version: 1 }), 'version'],
    ['no crypto', JSON.stringify({ version: 3 }), 'crypto'],
    ['a list', '[]', 'the file is not an object'],
    ['no JSON', 'key', 'not JSON'],
    ['half a file', file(SCRYPT).slice(0, 100), 'not JSON'],
    ['an address that is no hex', file(SCRYPT, { address: 'me' }), 'address'],
  ])('with %s is refused before anything is derived', (_, text, reason) => {
    // Reading is synchronous and derivations are not: nothing can have been derived.
    expect(() => readKeystore(text)).toThrow(reason)
  })
})

describe('a key file', () => {
  test('is written for its owner alone, whole, and never replaced', async () => {
    const path = join(DIRECTORY, 'new.json')
    const { address } = await createKeyFile(path, 'one', { cost: LIGHT })
    const before = readFileSync(path, 'utf8')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await expect(createKeyFile(path, 'two', { cost: LIGHT })).rejects.toMatchObject({ exit: EXIT.key })
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect((await readKeyFile(path, () => undefined)(async () => 'one')).address).toBe(address)
    expect(readdirSync(DIRECTORY).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('can be a raw key, with a warning when others can read it', async () => {
    const key = generatePrivateKey()
    const path = join(DIRECTORY, 'raw')
    writeFileSync(path, `${key}\n`, { mode: 0o600 })
    const warnings: string[] = []
    const read = () => readKeyFile(path, (text) => warnings.push(text))
    const neverAsked = () => Promise.reject(new Error('a raw key has no passphrase'))
    expect((await read()(neverAsked)).privateKey).toEqual(bytes(key))
    expect(warnings).toEqual([])
    chmodSync(path, 0o644)
    expect((await read()(neverAsked)).address).toBe(privateKeyToAddress(key).toLowerCase())
    expect(warnings).toHaveLength(1)
    expect(warnings.join()).not.toContain(key.slice(2))
  })

  test('may begin with one byte order mark, and has to be UTF-8', async () => {
    const path = join(DIRECTORY, 'marked.json')
    const text = await writeKeystore(bytes(generatePrivateKey()), 'one', LIGHT)
    writeFileSync(path, `\uFEFF${text}`)
    expect((await readKeyFile(path, () => undefined)(async () => 'one')).address).toBe(`0x${JSON.parse(text).address}`)
    writeFileSync(path, Buffer.from(text.replace('"version"', '"n\u00e4me":1,"version"'), 'latin1'))
    expect(() => readKeyFile(path, () => undefined)).toThrow(
      expect.objectContaining({ exit: EXIT.usage, message: expect.stringContaining('not UTF-8') }),
    )
  })

  test.each([
    ['does not exist', join(DIRECTORY, 'none'), EXIT.key],
    ['is a directory', DIRECTORY, EXIT.usage],
    ['is a key in place of a path', `0x${SECRET}`, EXIT.usage],
  ])('that %s is refused, and a key is not repeated', (_, path, exit) => {
    let failure: unknown
    try {
      readKeyFile(path, () => undefined)
    } catch (error) {
      failure = error
    }
    expect(failure).toMatchObject({ exit })
    expect(JSON.stringify(failure) + String(failure)).not.toContain(SECRET)
  })
})

describe('the directory of keys', () => {
  test('is created for its owner alone', () => {
    const path = join(DIRECTORY, 'a/b')
    ensurePrivateDirectory(path)
    ensurePrivateDirectory(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  test('that others can read is refused, and keeps its mode', () => {
    const path = join(DIRECTORY, 'shared')
    mkdirSync(path)
    chmodSync(path, 0o755)
    expect(() => ensurePrivateDirectory(path)).toThrow(expect.objectContaining({ exit: EXIT.usage }))
    expect(statSync(path).mode & 0o777).toBe(0o755)
  })

  test('that is a file is refused', () => {
    const path = join(DIRECTORY, 'file')
    writeFileSync(path, '')
    expect(() => ensurePrivateDirectory(path)).toThrow(expect.objectContaining({ exit: EXIT.usage }))
  })
})

test('addresses are those of viem', () => {
  for (let round = 0; round < 20; round += 1) {
    const key = generatePrivateKey()
    const address = findAddress(bytes(key)) ?? ''
    expect(address).toBe(privateKeyToAddress(key).toLowerCase())
    expect(checksumAddress(address)).toBe(getAddress(address))
  }
  expect(findAddress(Buffer.alloc(32))).toBeUndefined()
})

describe('a passphrase file', () => {
  const read = async (mode: number, content: string | Buffer = 'a passphrase\n') => {
    const path = join(DIRECTORY, `passphrase-${mode}`)
    writeFileSync(path, content)
    chmodSync(path, mode)
    const warnings: string[] = []
    const output = { hide: () => undefined, warn: (text: string) => void warnings.push(text) }
    const sources = { file: path, variable: undefined, signal: new AbortController().signal, output }
    return { text: await getPassphrase(sources, 'open'), warnings }
  }

  test('that others can read causes a warning', async () => {
    expect(await read(0o644)).toEqual({ text: 'a passphrase', warnings: [expect.stringContaining('chmod 600')] })
    expect(await read(0o600)).toEqual({ text: 'a passphrase', warnings: [] })
  })

  test('is read as UTF-8 without one byte order mark', async () => {
    expect((await read(0o600, '\uFEFFpass phr\u00e4se\r\n')).text).toBe('pass phr\u00e4se')
    await expect(read(0o600, Buffer.from('pass phr\u00e4se\n', 'latin1'))).rejects.toMatchObject({
      exit: EXIT.usage,
      message: expect.stringContaining('not UTF-8'),
    })
  })
})

test('a file that cannot be replaced leaves no other file', () => {
  const directory = mkdtempSync(join(DIRECTORY, 'full-'))
  mkdirSync(join(directory, 'name'))
  expect(() => replacePrivate(join(directory, 'name'), 'text')).toThrow()
  expect(readdirSync(directory)).toEqual(['name'])
})
