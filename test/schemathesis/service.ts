import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** Private key of a wallet. */
export type Key = `0x${string}`
export const newKey = generatePrivateKey

const answer = async (address: string, options: RequestInit): Promise<unknown> => {
  const response = await fetch(address, options)
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

const post = async (address: string, body: object): Promise<Record<string, string>> =>
  (await answer(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })) as Record<
    string,
    string
  >

/** Signs in with a key; returns the token. */
export const signIn = async (base: string, key: Key): Promise<string> => {
  const account = privateKeyToAccount(key)
  const { message = '' } = await post(`${base}/auth/nonce`, { wallet: account.address })
  const { token = '' } = await post(`${base}/auth/verify`, { message, signature: await account.signMessage({ message }) })
  return token
}

/** Ids that the service holds, by the name that `hooks.py` gives their kind. */
export const readKnown = async (base: string, token: string): Promise<Record<string, string[]>> => {
  const list = async (path: string, name: string): Promise<Record<string, string>[]> =>
    ((await answer(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } })) as Record<string, Record<string, string>[]>)[
      name
    ] ?? []
  const [jobs, sessions, disputes, badges, schemas] = await Promise.all([
    list('/admin/jobs?limit=100', 'jobs'),
    list('/admin/sessions?limit=250', 'sessions'),
    list('/disputes?limit=500', 'disputes'),
    list('/badges?limit=500', 'badges'),
    list('/schemas/jobs', 'schemas'),
  ])
  const ids = (rows: Record<string, string>[], name: string): string[] => rows.flatMap((row) => row[name] ?? [])
  const texts = JSON.stringify([sessions, disputes, badges]).matchAll(/\/content\/(0x[0-9a-f]{64})/g)
  return {
    job: ids(jobs, 'id'),
    session: ids(sessions, 'sessionId'),
    dispute: ids(disputes, 'id'),
    badge: ids(badges, 'sessionId'),
    schema: ids(schemas, '$id').map((id) => id.replace('schema://jobs/', '')),
    content: [...new Set([...texts].flatMap(([, hash]) => hash ?? []))],
  }
}
