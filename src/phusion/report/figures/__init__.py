"""Figures as inline SVG that takes its colours from the page."""
