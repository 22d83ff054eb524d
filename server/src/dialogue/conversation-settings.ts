import type { JsonObject } from '../platform/json/json-object.ts';
import { type ChannelConfig, readChannelConfig } from '../recipes/fields/channel-config.ts';
import { type BusinessHours, businessHoursOf } from './business-hours.ts';

/** The part of a configuration that the control plane applies itself. */
export interface ConversationSettings extends Omit<ChannelConfig, 'business_hours'> {
  business_hours: BusinessHours | undefined;
}

/** @param config after mergeLayers */
export function readConversationSettings(config: JsonObject, timezone: string): ConversationSettings {
  const { business_hours, ...settings } = readChannelConfig(config);
  return { ...settings, business_hours: business_hours && businessHoursOf(business_hours, timezone) };
}
