import { checkAddress, type Address } from "../domain/customer/address";
import type { Complaint } from "../shared/checks";
import type { DeliveryWindow } from "../domain/shipping/delivery-window";
import { formatDate } from "./format";
import { html, type SafeHtml } from "./html";

export type Step = "address" | "delivery" | "payment" | "review";
const STEPS: readonly Step[] = ["address", "delivery", "payment", "review"];

export interface CheckoutState {
  readonly step: Step;
  readonly address: Partial<Address>;
  readonly service?: "standard" | "express";
  readonly cardToken?: string;
}

/** The furthest step that may be shown: nobody reviews an order without an address. */
export function furthestStep(state: CheckoutState): Step {
  if (!isComplete(state.address) || checkAddress(state.address).length > 0) {
    return "address";
  }
  if (state.service === undefined) {
    return "delivery";
  }
  return state.cardToken === undefined ? "payment" : "review";
}

export function goTo(state: CheckoutState, wanted: Step): CheckoutState {
  const limit = STEPS.indexOf(furthestStep(state));
  const step = STEPS[Math.min(STEPS.indexOf(wanted), limit)] ?? "address";
  return { ...state, step };
}

function isComplete(address: Partial<Address>): address is Address {
  return ["recipient", "street", "postcode", "city", "country"].every((field) => Boolean(address[field as keyof Address]));
}

export function field(name: string, value: string, complaints: readonly Complaint[]): SafeHtml {
  const complaint = complaints.find((entry) => entry.field === name);
  return html`<label>${name}
    <input name="${name}" value="${value}" ${complaint !== undefined && html`aria-invalid="true"`}>
    ${complaint !== undefined && html`<span role="alert">${complaint.message}</span>`}
  </label>`;
}

export function deliveryOption(service: string, window: DeliveryWindow, language: string): SafeHtml {
  return html`<label><input type="radio" name="service" value="${service}">
    ${service}: ${formatDate(window.earliest, language)} to ${formatDate(window.latest, language)}</label>`;
}
