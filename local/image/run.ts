// Runs commands of the image the way a careful platform does: user id 1000, root read-only, no capability, no new right, only /tmp to write.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SpawnRequest } from '../processes.ts'
import { output, type Tool } from './tools.ts'

const USER = 1000
/** Where a command finds the files that it is given. */
export const GIVEN = '/run/given'

const Config = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Cmd: z.array(z.string()),
  WorkingDir: z.string(),
  Healthcheck: z.object({ Test: z.array(z.string()) }),
})
/** What an image says of itself, as far as a run needs it. */
type Config = z.infer<typeof Config>

/** Reads what an image says of itself. Throws where the user, the command or the health check is missing. */
const readConfig = (tool: Tool, image: string): Config => {
  if (tool === 'buildah')
    return z.object({ Docker: z.object({ config: Config }) }).parse(JSON.parse(output('buildah', ['inspect', '--type', 'image', image])))
      .Docker.config
  const [found] = JSON.parse(output(tool, ['image', 'inspect', image])) as { Config: object; HealthCheck?: object }[]
  // Podman has it beside the rest.
  return Config.parse({ Healthcheck: found?.HealthCheck, ...found?.Config })
}

/** A place where commands of one image run. */
export interface Place {
  config: Config
  /** How to start a command with these settings. */
  request(name: string, command: readonly string[], settings: Record<string, string>): SpawnRequest
  close(): void
}

const nameOf = (line: string): [string, string] => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]

/** Mounts and changes of root that a runtime would make, then the command in place of this shell. */
const SCRIPT = `
root=$1; given=$2; shift 2
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root${GIVEN}"
mount --bind "$given" "$root${GIVEN}"
mount -o remount,bind,ro "$root${GIVEN}"
mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
mount -o remount,bind,ro "$root"
exec chroot "$root" setpriv --reuid ${USER} --regid ${USER} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all env -C "$DIRECTORY" "$@"
`

const chrootPlace = (image: string, given: string): Place => {
  const config = readConfig('buildah', image)
  const container = output('buildah', ['from', '--pull-never', image])
  const root = output('buildah', ['mount', container])
  return {
    config,
    request: (name, command, settings) => ({
      name,
      command: 'unshare',
      args: ['--mount', '--propagation', 'private', 'sh', '-euc', SCRIPT, 'sh', root, given, ...command],
      env: { ...Object.fromEntries(config.Env.map(nameOf)), ...settings, DIRECTORY: config.WorkingDir },
    }),
    close: () => {
      output('buildah', ['umount', container])
      output('buildah', ['rm', container])
    },
  }
}

const runtimePlace = (tool: 'docker' | 'podman', image: string, given: string): Place => ({
  config: readConfig(tool, image),
  request: (name, command, settings) => ({
    name,
    command: tool,
    args: [
      ...['run', '--rm', '--init=false', '--network', 'host', '--no-healthcheck'],
      ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...['--volume', `${given}:${GIVEN}:ro`, ...Object.keys(settings).flatMap((setting) => ['--env', setting])],
      ...[image, ...command],
    ],
    env: { ...process.env, ...settings },
  }),
  close: () => undefined,
})

/** Opens a place for an image; commands in it read the files of `given`. */
export const openPlace = (tool: Tool, image: string, given: string): Place =>
  tool === 'buildah' ? chrootPlace(image, given) : runtimePlace(tool, image, given)

/** A program for Node that prints what its process may do. */
export const RIGHTS = `
const { readFileSync, writeFileSync } = require('node:fs')
const canWrite = (folder) => { try { writeFileSync(folder + '/written', ''); return true } catch { return false } }
const status = Object.fromEntries(readFileSync('/proc/self/status', 'utf8').split('\\n').map((line) => line.split(/:\\s+/)))
console.log(JSON.stringify({
  user: process.getuid(), group: process.getgid(), capabilities: status.CapEff, reachable: status.CapBnd, noNewRights: status.NoNewPrivs,
  writes: ['/', '/app', '/app/build', '/var/tmp', '/etc', '/tmp'].filter(canWrite),
}))`

const Rights = z.strictObject({
  user: z.literal(USER),
  group: z.literal(USER),
  capabilities: z.string().regex(/^0+$/),
  reachable: z.string().regex(/^0+$/),
  noNewRights: z.literal('1'),
  writes: z.tuple([z.literal('/tmp')]),
})

/** Throws if the output of {@link RIGHTS} shows a right that no process of the service needs. */
export const assertRights = (log: string): void => {
  const line = readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? ''
  const read = Rights.safeParse(JSON.parse(line))
  if (!read.success) throw new Error(`a process of the image has other rights than it should: ${line}\n${z.prettifyError(read.error)}`)
}
