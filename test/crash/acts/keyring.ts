// Services hold an arbitrator's key, or none. They read their keys when they start.
import type { Member, StartChanges } from '../../support/fleet/fleet.ts'

const WITHOUT_ARBITRATOR = { ARBITRATOR_KEY: '' }

export const createKeyring = () => {
  let held = true
  return {
    /** The same service, which starts with the keys that are held then, also after it was killed. */
    withKeys: <One extends Member>(service: One): One => ({
      ...service,
      start: ({ env, ...changes }: StartChanges = {}) =>
        service.start({ ...changes, env: { ...env, ...(held ? {} : WITHOUT_ARBITRATOR) } }),
    }),

    /** From now on the arbitrator's key is held or not; services that hold it otherwise end in order and are brought back. */
    turnTo: async (isHeld: boolean, services: readonly Member[], bringBack: (service: Member) => Promise<void>): Promise<void> => {
      if (isHeld === held) return
      held = isHeld
      await Promise.all(
        services.map(async (service) => {
          // One that is on its way up has read its keys already.
          if (!service.isUp()) await bringBack(service)
          await service.stop()
          await bringBack(service)
        }),
      )
    },
  }
}
