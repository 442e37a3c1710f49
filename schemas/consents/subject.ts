import { subject } from '../subject.ts'

export const consents = subject({ name: 'consents', buildsOn: ['content', 'identity'], entities: () => import('./entities.ts') })
