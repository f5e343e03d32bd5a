// The whole core in one include. Each header also compiles alone.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/catalogue.hpp>
#include <bristle/coupled.hpp>
#include <bristle/curve.hpp>
#include <bristle/parameters.hpp>
