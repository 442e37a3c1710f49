import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { files, ROOT } from '../files.ts'
import { problemsOf, readYaml, SECRETS, secretAmong, secretFiles, unknownAmong } from './support.ts'

interface Container {
  name: string
  image: string
  command?: string[]
  securityContext: object
  env?: { name: string; value: string }[]
  envFrom?: { configMapRef: { name: string } }[]
  resources: { requests: Record<string, string>; limits: { memory: string } }
  volumeMounts: { name: string; mountPath: string }[]
  livenessProbe?: { httpGet: { path: string } }
  readinessProbe?: { httpGet: { path: string } }
}

interface Pod {
  automountServiceAccountToken: boolean
  securityContext: object
  containers: Container[]
  volumes: { name: string; secret?: { secretName: string; defaultMode: number } }[]
}

interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string }
  data?: Record<string, string>
  spec?: { template?: { spec: Pod }; podSelector?: object; policyTypes?: string[]; egress?: object[]; ingress?: object[] }
}

interface Kustomization {
  resources?: string[]
  components?: string[]
  images?: { name: string }[]
}

const FOLDER = 'deploy/kubernetes'
const paths = files().filter((path) => path.startsWith(`${FOLDER}/`) && path.endsWith('.yaml'))
const kustomizations = paths.filter((path) => path.endsWith('/kustomization.yaml'))
const manifests = paths.filter((path) => !kustomizations.includes(path)).flatMap((path) => readYaml<Manifest>(path))
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind)
const settings = ofKind('ConfigMap').find(({ metadata }) => metadata.name === 'settings')?.data ?? {}

/** What runs in the cluster: a name, its pod and its only container. */
const workloads = [...ofKind('Deployment'), ...ofKind('Job')].flatMap(({ metadata, spec }): [string, Pod, Container][] => {
  const pod = spec?.template?.spec
  const [container, ...more] = pod?.containers ?? []
  if (pod === undefined || container === undefined || more.length > 0) throw new Error(`${metadata.name} does not run one process`)
  return [[metadata.name, pod, container]]
})

const environmentOf = ({ env = [] }: Container): Record<string, string> => Object.fromEntries(env.map(({ name, value }) => [name, value]))

/** Secret object whose files a process reads; two processes that need the same one share it. */
const OBJECTS: Readonly<Record<string, string>> = { api: 'api', worker: 'worker', migrate: 'migrate', runner: 'engine', current: 'engine' }

const directory = mkdtempSync(join(tmpdir(), 'kubernetes-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the manifests', () => {
  test('run each process of the service, one a container', () => {
    expect(workloads.map(([name]) => name).sort()).toEqual(Object.keys(SECRETS).sort())
  })

  test.each(workloads)('hand %s its secrets and no other, each as a file', (name, pod, container) => {
    const environment = environmentOf(container)
    const given = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE'))
    expect(Object.fromEntries(given)).toEqual(secretFiles(name))
    expect(secretAmong(Object.keys(environment))).toEqual([])
    const mounted = pod.volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret]))
    expect(mounted).toEqual(OBJECTS[name] === undefined ? [] : [{ secretName: OBJECTS[name], defaultMode: 0o440 }])
    expect(container.volumeMounts.some(({ mountPath }) => mountPath === '/run/secrets')).toBe(mounted.length > 0)
  })

  test.each(workloads)('give %s no right but to read', (name, pod, container) => {
    const isRunner = name === 'runner'
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: isRunner ? 'Unconfined' : 'RuntimeDefault' },
      },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      ...(isRunner && { procMount: 'Unmasked' }),
    })
    expect(container.volumeMounts.some(({ mountPath }) => mountPath === '/tmp')).toBe(true)
  })

  test.each(workloads)('give %s settings that exist, and bounds', (name, _pod, container) => {
    expect(unknownAmong(Object.keys(environmentOf(container)))).toEqual([])
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    })
    // A runner gets nothing that it does not need.
    expect(container.envFrom).toEqual(name === 'runner' ? undefined : [{ configMapRef: { name: 'settings' } }])
  })

  test.each(['api', 'worker', 'runner', 'current'] as const)('give %s all that its start asks for', (name) => {
    const [, , container] = workloads.find(([found]) => found === name) ?? []
    if (container === undefined) throw new Error(`no ${name}`)
    expect(problemsOf(join(directory, name), name, { ...(container.envFrom && settings), ...environmentOf(container) })).toEqual([])
  })

  test('hold settings that exist, and no secret', () => {
    expect(Object.keys(settings).length).toBeGreaterThan(10)
    expect(unknownAmong(Object.keys(settings))).toEqual([])
    expect(secretAmong(Object.keys(settings))).toEqual([])
    expect(settings.CONSOLE_URL).toBe(settings.APP_URL)
    expect(ofKind('Secret')).toEqual([])
  })

  test.each([
    ['api', '/health/live', '/health'],
    ['console', '/health/live', '/health/live'],
    ['runner', '/health/live', '/health'],
    ['worker', undefined, undefined],
  ])('ask %s whether it lives at %s, and whether it is ready at %s', (name, live, ready) => {
    const [, , container] = workloads.find(([found]) => found === name) ?? []
    expect([container?.livenessProbe?.httpGet.path, container?.readinessProbe?.httpGet.path]).toEqual([live, ready])
  })

  test('keep one of each process while a node is emptied', () => {
    expect(
      ofKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['api', 'console', 'worker'])
  })

  test('refuse every connection that no policy allows', () => {
    const policies = ofKind('NetworkPolicy')
    const closed = policies.filter(({ spec }) => JSON.stringify([spec?.podSelector, spec?.policyTypes]) === '[{},["Ingress","Egress"]]')
    expect(closed.map(({ metadata }) => metadata.namespace).sort()).toEqual(['agent-work', 'agent-work-runner'])
    expect(closed.find(({ metadata }) => metadata.namespace === 'agent-work')?.spec).not.toHaveProperty('egress')
    expect(closed.every(({ spec }) => spec?.ingress === undefined)).toBe(true)
  })

  test('take their images from one place', () => {
    const named = readYaml<Kustomization>(`${FOLDER}/image/kustomization.yaml`).flatMap(({ images = [] }) => images.map(({ name }) => name))
    expect([...new Set(workloads.map(([, , { image }]) => image))].sort()).toEqual(named.toSorted())
  })

  test('are each part of one kustomization, but for the example', () => {
    const parts = kustomizations.flatMap((path) =>
      readYaml<Kustomization>(path).flatMap(({ resources = [], components = [] }) =>
        [...resources, ...components].map((part) => join(dirname(path), part)),
      ),
    )
    expect(parts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    const resources = parts.filter((path) => path.endsWith('.yaml'))
    expect(resources.toSorted()).toEqual(paths.filter((path) => !kustomizations.includes(path) && path !== `${FOLDER}/ingress.yaml`))
  })
})
