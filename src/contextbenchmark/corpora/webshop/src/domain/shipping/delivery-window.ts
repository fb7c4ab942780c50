import { addDays, isWeekend } from "../../shared/clock";
import type { Service } from "./shipping-rates";

export interface DeliveryWindow {
  readonly earliest: Date;
  readonly latest: Date;
}

/** Parcels leave at two in the afternoon; what is ordered later leaves on the next working day. */
const CUT_OFF_HOUR_UTC = 14;

const TRANSIT_DAYS: Readonly<Record<Service, readonly [number, number]>> = {
  express: [1, 1],
  standard: [2, 4],
};

export function deliveryWindow(orderedAt: Date, service: Service, holidays: readonly string[] = []): DeliveryWindow {
  const late = orderedAt.getUTCHours() >= CUT_OFF_HOUR_UTC;
  const dispatch = nextWorkingDay(late ? addDays(orderedAt, 1) : orderedAt, holidays);
  const [fastest, slowest] = TRANSIT_DAYS[service];
  return {
    earliest: addWorkingDays(dispatch, fastest, holidays),
    latest: addWorkingDays(dispatch, slowest, holidays),
  };
}

export function addWorkingDays(start: Date, days: number, holidays: readonly string[]): Date {
  let current = start;
  for (let left = days; left > 0; left -= 1) {
    current = nextWorkingDay(addDays(current, 1), holidays);
  }
  return current;
}

function nextWorkingDay(date: Date, holidays: readonly string[]): Date {
  let current = date;
  while (isWeekend(current) || holidays.includes(current.toISOString().slice(0, 10))) {
    current = addDays(current, 1);
  }
  return current;
}
