"""The forms in which a report is handed on: one module a form, pure but for :mod:`summary`."""
