//! The settings file: read, checked, with defaults.
