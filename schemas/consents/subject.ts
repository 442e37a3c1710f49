import { subject } from '../subject.ts'
import * as entities from './entities.ts'

export const consents = subject({ name: 'consents', buildsOn: ['content', 'identity'], entities })
